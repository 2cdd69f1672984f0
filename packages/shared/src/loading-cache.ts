import { LRUCache } from 'lru-cache'

export interface CacheMemory<Value> {
  readonly maxBytes: number
  /** About how many bytes a value takes: a whole number of at least 1. */
  readonly bytesOf: (value: Value) => number
}

export interface LoadingCacheOptions<Value> {
  /** Beyond this, the least recently used entry is evicted. */
  readonly maxEntries: number
  /** Beyond this size of all values, too. By default the size has no limit. */
  readonly memory?: CacheMemory<Value>
  /**
   * Returns the time on the clock `now` until which a value is fresh. Its load began at
   * `startedAt`.
   */
  readonly freshUntil: (value: Value, startedAt: number) => number
  /**
   * Returns the time until which a value may be returned at all, even as an expired one. By default
   * there is no limit.
   */
  readonly usableUntil?: (value: Value, startedAt: number) => number
  /** Values of one group are invalidated and expired together. */
  readonly groupOf?: (value: Value) => string
  /**
   * Whether `load` returns the expired value, if there is one, when loading fails with this error.
   * By default it never does.
   */
  readonly servesStaleOn?: (error: unknown) => boolean
  /** The clock, in milliseconds; monotonic by default. */
  readonly now?: () => number
}

interface Entry<Value> {
  readonly value: Value
  freshUntil: number
  usableUntil: number
}

interface RunningLoad {
  /** Groups that changed since the load began. */
  readonly changedGroups: Set<string>
  hasAllChanged: boolean
}

/**
 * Caches values that are loaded from elsewhere. Concurrent loads of a key share one. Errors are not
 * cached. A value that is invalidated or expired while it is loaded is returned, but not stored.
 */
export class LoadingCache<Value extends object> {
  readonly #options: LoadingCacheOptions<Value>
  readonly #now: () => number
  readonly #groupOf: (value: Value) => string
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #keysOfGroup = new Map<string, Set<string>>()
  /** The loads that further callers may join. */
  readonly #shared = new Map<string, Promise<Value>>()
  readonly #running = new Set<RunningLoad>()

  constructor(options: LoadingCacheOptions<Value>) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#groupOf = options.groupOf ?? (() => '')
    const { memory } = options
    this.#entries = new LRUCache({
      max: options.maxEntries,
      ...(memory && {
        maxSize: memory.maxBytes,
        sizeCalculation: ({ value }) => memory.bytesOf(value),
      }),
      dispose: ({ value }, key) => this.#removeFromGroup(this.#groupOf(value), key),
    })
  }

  /** The value, if it is cached and fresh. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || Math.min(entry.freshUntil, entry.usableUntil) <= this.#now()) return
    return entry.value
  }

  /**
   * Loads a value that `get` did not return; joins a running load of the same key. `loader` is
   * called with whether the cache has an expired value. Rejects with the loader's error.
   */
  async load(key: string, loader: (hasExpired: boolean) => Promise<Value>): Promise<Value> {
    const running = this.#shared.get(key)
    if (running !== undefined) return await running
    const load = this.#start(key, loader)
    this.#shared.set(key, load)
    try {
      return await load
    } finally {
      if (this.#shared.get(key) === load) this.#shared.delete(key)
    }
  }

  /** Removes the values of a group, or all. */
  invalidate(group?: string): void {
    this.#outdateLoads(group)
    if (group === undefined) this.#entries.clear()
    for (const key of this.#keysOfGroup.get(group ?? '') ?? []) this.#entries.delete(key)
  }

  /**
   * Marks the values of a group, or all values, as expired, but keeps them for `servesStaleOn`, for
   * at most `usableMs`.
   */
  expire(group?: string, usableMs = Infinity): void {
    this.#outdateLoads(group)
    const keys = group === undefined ? this.#entries.keys() : (this.#keysOfGroup.get(group) ?? [])
    for (const key of keys) {
      const entry = this.#entries.peek(key)
      if (entry === undefined) continue
      entry.freshUntil = Number.NEGATIVE_INFINITY
      entry.usableUntil = Math.min(entry.usableUntil, this.#now() + usableMs)
    }
  }

  /**
   * Prevents running loads from storing values of the group, and later callers from joining them.
   */
  #outdateLoads(group: string | undefined): void {
    this.#shared.clear()
    for (const load of this.#running) {
      if (group === undefined) load.hasAllChanged = true
      else load.changedGroups.add(group)
    }
  }

  async #start(key: string, loader: (hasExpired: boolean) => Promise<Value>): Promise<Value> {
    const load: RunningLoad = { changedGroups: new Set(), hasAllChanged: false }
    const startedAt = this.#now()
    const before = this.#entries.peek(key)
    this.#running.add(load)
    try {
      const value = await loader(before !== undefined)
      const group = this.#groupOf(value)
      if (!load.hasAllChanged && !load.changedGroups.has(group)) {
        this.#entries.set(key, {
          value,
          freshUntil: this.#options.freshUntil(value, startedAt),
          usableUntil: this.#options.usableUntil?.(value, startedAt) ?? Infinity,
        })
        // A value that is larger than all of the memory isn't stored.
        if (this.#entries.has(key)) this.#addToGroup(group, key)
      }
      return value
    } catch (error) {
      const present = this.#entries.peek(key)
      const isUsable = present !== undefined && present.usableUntil > this.#now()
      if (isUsable && this.#options.servesStaleOn?.(error)) return present.value
      if (present === before) this.#entries.delete(key)
      throw error
    } finally {
      this.#running.delete(load)
    }
  }

  #addToGroup(group: string, key: string): void {
    const keys = this.#keysOfGroup.get(group)
    if (keys === undefined) this.#keysOfGroup.set(group, new Set([key]))
    else keys.add(key)
  }

  #removeFromGroup(group: string, key: string): void {
    const keys = this.#keysOfGroup.get(group)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOfGroup.delete(group)
  }
}
