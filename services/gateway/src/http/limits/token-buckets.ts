/** The default number of addresses or users in memory. */
const MAX_KEYS = 100_000

/** Size of a bucket and how fast it refills. */
export interface BucketSettings {
  readonly perSecond: number
  readonly burst: number
}

/** The result of taking a token. */
export interface Taken {
  readonly isAllowed: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Until the bucket is full again. */
  readonly fullInMs: number
  /** Until the next token; 0 if there is one. */
  readonly nextInMs: number
}

interface Bucket {
  tokens: number
  at: number
}

/**
 * Token buckets by key, in bounded memory. Keys live in two generations: when the young one is
 * full, it becomes the old one, whose unused keys are dropped. A dropped key starts again with a
 * full bucket.
 */
export class TokenBuckets {
  readonly settings: BucketSettings
  readonly #maxKeys: number
  readonly #now: () => number
  #young = new Map<string, Bucket>()
  #old = new Map<string, Bucket>()

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(
    settings: BucketSettings,
    maxKeys: number = MAX_KEYS,
    now: () => number = () => performance.now(),
  ) {
    this.settings = settings
    this.#maxKeys = maxKeys
    this.#now = now
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** Takes a token if there is one. */
  take(key: string): Taken {
    const { perSecond, burst } = this.settings
    const bucket = this.#bucket(key)
    const now = this.#now()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens -= 1
    return {
      isAllowed,
      remaining: Math.floor(bucket.tokens),
      fullInMs: ((burst - bucket.tokens) / perSecond) * 1000,
      nextInMs: (Math.max(0, 1 - bucket.tokens) / perSecond) * 1000,
    }
  }

  /** Returns a token to the bucket it was taken from. */
  giveBack(key: string): void {
    const bucket = this.#young.get(key)
    if (bucket !== undefined) bucket.tokens = Math.min(this.settings.burst, bucket.tokens + 1)
  }

  #bucket(key: string): Bucket {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const bucket = this.#old.get(key) ?? { tokens: this.settings.burst, at: this.#now() }
    this.#old.delete(key)
    if (this.#young.size >= this.#maxKeys / 2) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, bucket)
    return bucket
  }
}
