/**
 * How calls are tried again, whatever carries them.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export const RETRY_POLICY = {
  maxAttempts: 3,
  /**
   * About what a call waits for before it is made a second time; each time after that twice as
   * long.
   */
  firstBackoffMs: 50,
  backoffMultiplier: 2,
  maxTokens: 20,
  /** What a success gives back of what a failure takes. */
  tokenRatio: 0.1,
} as const

/**
 * Keeps repeated calls from making an overload worse: once half of the tokens are lost to failures,
 * nothing is repeated until calls succeed again.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md#throttling-retry-attempts-and-hedged-rpcs
 */
export class RetryBudget {
  #tokens: number = RETRY_POLICY.maxTokens

  succeeded(): void {
    this.#tokens = Math.min(RETRY_POLICY.maxTokens, this.#tokens + RETRY_POLICY.tokenRatio)
  }

  /** Counts a failure and tells whether the call may be repeated. */
  failed(): boolean {
    this.#tokens = Math.max(0, this.#tokens - 1)
    return this.#tokens > RETRY_POLICY.maxTokens / 2
  }
}
