const MAX_TOKENS = 20
/** What a success gives back of what a failure takes. */
const TOKEN_RATIO = 0.1

/**
 * Keeps repeated calls from making an overload worse: once half of the tokens are lost to failures, nothing is repeated
 * until calls succeed again. https://github.com/grpc/proposal/blob/master/A6-client-retries.md#throttling-retry-attempts-and-hedged-rpcs
 */
export class RetryBudget {
  #tokens = MAX_TOKENS

  succeeded(): void {
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + TOKEN_RATIO)
  }

  /** Counts a failure and tells whether the call may be repeated. */
  failed(): boolean {
    this.#tokens = Math.max(0, this.#tokens - 1)
    return this.#tokens > MAX_TOKENS / 2
  }
}
