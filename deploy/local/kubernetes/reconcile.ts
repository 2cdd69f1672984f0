import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from './client.ts'

/** A collection as it is listed. */
export interface List<T> {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly T[]
}

/** Something that is kept in accord with collections of the API server. */
export interface Reconciliation {
  /** For what is told of failures. */
  readonly name: string
  /**
   * Does all that there is to do, and returns what it went by: the resource version of each
   * collection, by its path.
   */
  round(): Promise<ReadonlyMap<string, string>>
}

/**
 * Does a round at first, after every change of what the rounds go by, and after a failure, until
 * told to stop. What is to do is always found by looking at everything; a watch only says when to
 * look.
 */
export async function keepReconciled(
  client: ApiClient,
  work: Reconciliation,
  signal: AbortSignal,
): Promise<void> {
  let told = ''
  while (!signal.aborted) {
    try {
      await roundsUntilWatchEnds(client, work, signal)
      told = ''
    } catch (error) {
      if (signal.aborted) return
      const text = `${work.name}: ${error instanceof Error ? error.message : String(error)}`
      if (text !== told) console.error(text)
      told = text
      await sleep(1000, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function roundsUntilWatchEnds(
  client: ApiClient,
  work: Reconciliation,
  stop: AbortSignal,
): Promise<void> {
  const versions = await work.round()
  const ended = new AbortController()
  const signal = AbortSignal.any([stop, ended.signal])
  let changed = Promise.withResolvers<void>()
  const watches = [...versions].map(async ([path, version]) => {
    const query = `watch=1&timeoutSeconds=300&allowWatchBookmarks=false&resourceVersion=${version}`
    await client.watch(`${path}?${query}`, () => changed.resolve(), signal)
  })
  const over = Promise.race(watches).then(() => 'over' as const)
  over.catch(() => undefined) // seen by the race below, unless a round fails first
  try {
    while (
      (await Promise.race([over, changed.promise.then(() => 'changed' as const)])) === 'changed'
    ) {
      changed = Promise.withResolvers<void>()
      await work.round()
    }
  } finally {
    ended.abort()
    await Promise.allSettled(watches)
  }
}
