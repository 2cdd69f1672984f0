import type { IncomingMessage } from 'node:http'

import type { Logger } from '@slipway/shared/logger'
import { backoffMs, sleep } from '@slipway/shared/waiting'

import { type KubernetesObject } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { collectionPath } from './paths.ts'
import { listObjects, selectorText, type ListQuery } from './read.ts'

/** The server ends a watch after this time. A connection that is silent for longer is dead. */
const WATCH_SECONDS = 120
const SILENCE_MS = (WATCH_SECONDS + 15) * 1000
/** All objects are listed again after this time, even if the watch works. */
const RELIST_MS = 10 * 60_000
const MAX_BACKOFF_MS = 10_000

/** The objects to mirror, and the data to keep of each. */
export interface MirrorOptions<Kept> {
  readonly client: KubernetesClient
  readonly logger: Logger
  readonly query: Omit<ListQuery, 'signal'>
  /** Returns the data to keep of an object. */
  readonly keep: (object: KubernetesObject) => Kept
  /** Called after each change with the previous and the new data. */
  readonly onChange: (before: Kept | undefined, now: Kept | undefined) => void
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: KubernetesObject
}

/**
 * A copy of the cluster's objects of one kind, kept up to date by a watch. When a watch ends or
 * goes silent, the objects are listed again, and differences are reported like any other change.
 */
export class ObjectMirror<Kept> {
  readonly #options: MirrorOptions<Kept>
  readonly #objects = new Map<string, { readonly resourceVersion: string; readonly kept: Kept }>()
  #isSynced = false

  constructor(options: MirrorOptions<Kept>) {
    this.#options = options
  }

  /** Whether the copy is complete. False before the first list and while the API server is down. */
  get isSynced(): boolean {
    return this.#isSynced
  }

  /** Returns the data kept of an object. */
  get(namespace: string, name: string): Kept | undefined {
    return this.#objects.get(`${namespace}/${name}`)?.kept
  }

  /** Keeps the copy up to date until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { logger, query } = this.#options
    for (let failures = 0; !signal.aborted;) {
      try {
        let resourceVersion: string | undefined = await this.#list(signal)
        failures = 0
        const relistAt = performance.now() + RELIST_MS
        while (resourceVersion !== undefined && performance.now() < relistAt) {
          resourceVersion = await this.#watch(resourceVersion, signal)
        }
      } catch (error) {
        if (signal.aborted) return
        this.#isSynced = false
        failures++
        if (failures === 1) logger.warn({ err: error, kind: query.kind }, 'watch_interrupted')
      }
      if (failures > 0)
        await sleep(backoffMs(failures, { firstMs: 200, maxMs: MAX_BACKOFF_MS }), signal)
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { client, query } = this.#options
    const { items, resourceVersion } = await listObjects<KubernetesObject>(client, {
      ...query,
      signal,
    })
    const present = new Set(
      items.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`),
    )
    for (const key of this.#objects.keys()) if (!present.has(key)) this.#remove(key)
    for (const item of items) this.#store(item)
    this.#isSynced = true
    return resourceVersion
  }

  /**
   * Follows one watch to its end. Returns the version to continue from; undefined when the server
   * no longer has it, so that a list is needed.
   */
  async #watch(from: string, signal: AbortSignal): Promise<string | undefined> {
    const { client, query } = this.#options
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(new Error('the watch went silent')), SILENCE_MS)
    const parameters = new URLSearchParams({
      watch: 'true',
      resourceVersion: from,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(WATCH_SECONDS),
      ...(query.labels && { labelSelector: selectorText(query.labels) }),
    })
    const path = collectionPath(query.apiVersion, query.kind, query.namespace)
    let last = from
    try {
      const response = await client.stream({
        method: 'GET',
        path: `${path}?${parameters.toString()}`,
        signal: AbortSignal.any([signal, silence.signal]),
      })
      for await (const line of linesOf(response)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(new Error('the watch went silent')), SILENCE_MS)
        const event = JSON.parse(line) as WatchEvent
        // 410 Gone or an internal error: only a new list helps.
        if (event.type === 'ERROR') return undefined
        last = event.object.metadata.resourceVersion ?? last
        if (event.type === 'DELETED') {
          const { metadata } = event.object
          this.#remove(`${metadata.namespace ?? ''}/${metadata.name}`)
        } else if (event.type !== 'BOOKMARK') {
          this.#store({ ...event.object, apiVersion: query.apiVersion, kind: query.kind })
        }
      }
      return last
    } finally {
      clearTimeout(timer)
    }
  }

  #store(object: KubernetesObject): void {
    const { namespace = '', name, resourceVersion = '' } = object.metadata
    const key = `${namespace}/${name}`
    const before = this.#objects.get(key)
    if (before?.resourceVersion === resourceVersion) return
    const kept = this.#options.keep(object)
    this.#objects.set(key, { resourceVersion, kept })
    this.#options.onChange(before?.kept, kept)
  }

  #remove(key: string): void {
    const before = this.#objects.get(key)
    this.#objects.delete(key)
    if (before) this.#options.onChange(before.kept, undefined)
  }
}

/** Yields the lines of a response. `node:readline` would end the process on an input error. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.toString('utf8', 0, end)
      rest = rest.subarray(end + 1)
    }
  }
}
