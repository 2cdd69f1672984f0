import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from './client.ts'

/** The response to a list request. */
export interface List<T> {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly T[]
}

/** Reconciles something with collections of the API server. */
export interface Reconciliation {
  /** The name in error messages. */
  readonly name: string
  /** Runs one round, and returns the resource version of each collection it read, by path. */
  round(): Promise<ReadonlyMap<string, string>>
}

/**
 * Runs a round at the start, after every change of the collections, and again after a failure,
 * until the signal aborts. Each round reads everything; a watch only triggers it.
 */
export async function keepReconciled(
  client: ApiClient,
  work: Reconciliation,
  signal: AbortSignal,
): Promise<void> {
  let lastError = ''
  while (!signal.aborted) {
    try {
      await roundsUntilWatchEnds(client, work, signal)
      lastError = ''
    } catch (error) {
      if (signal.aborted) return
      const text = `${work.name}: ${error instanceof Error ? error.message : String(error)}`
      if (text !== lastError) console.error(text)
      lastError = text
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
  over.catch(() => undefined) // handled by the race below, unless a round fails first
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
