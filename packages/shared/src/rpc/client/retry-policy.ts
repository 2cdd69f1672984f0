/**
 * The retry settings of all transports.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export const RETRY_POLICY = {
  maxAttempts: 3,
  /** The average pause before the first retry. It doubles with each further retry. */
  firstBackoffMs: 50,
  backoffMultiplier: 2,
  maxTokens: 20,
  /** The fraction of a token that a success restores; a failure takes one token. */
  tokenRatio: 0.1,
} as const

/**
 * Prevents retries from making an overload worse: once failures have used half of the tokens,
 * nothing is retried until enough calls succeed.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md#throttling-retry-attempts-and-hedged-rpcs
 */
export class RetryBudget {
  #tokens: number = RETRY_POLICY.maxTokens

  /** Counts a success. */
  succeeded(): void {
    this.#tokens = Math.min(RETRY_POLICY.maxTokens, this.#tokens + RETRY_POLICY.tokenRatio)
  }

  /** Counts a failure; returns whether the call may be retried. */
  failed(): boolean {
    this.#tokens = Math.max(0, this.#tokens - 1)
    return this.#tokens > RETRY_POLICY.maxTokens / 2
  }
}
