import type { RetryOptions } from './retry.ts'

/** Why a token is needed. */
export interface TokenRequest {
  /** The token that the server has just rejected; undefined if any valid token will do. */
  readonly rejected: string | undefined
}

/**
 * Returns the access token for a request; undefined sends none. When the server rejects a token,
 * the function is called once more with it. The request is repeated if it returns another one.
 */
export type TokenSource = (
  request: TokenRequest,
) => string | undefined | Promise<string | undefined>

/** A request that is sent. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** 1 for the first request of a call; more for its repetitions. */
  readonly attempt: number
}

/** A response, whatever its status. */
export interface ReceivedResponse extends SentRequest {
  readonly status: number
  readonly requestId: string | undefined
  /** Milliseconds until the headers of the response. */
  readonly durationMs: number
}

/** A failed request that will be repeated, or a stream that will be continued. */
export interface PlannedRetry {
  readonly method: string
  readonly url: string
  readonly delayMs: number
  /** An ApiError or a ConnectionError. */
  readonly error: Error
}

/** Options of a client. */
export interface ClientOptions {
  /** URL of the installation, e.g. `https://slipway.example.com`. */
  readonly url: string
  /** An access token, or a function that returns one. Without it, requests are anonymous. */
  readonly token?: string | TokenSource | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Name and version of the program, e.g. `my-tool/1.2.0`. Not sent by browsers. */
  readonly userAgent?: string | undefined
  /** Bounds of retries; `false` turns them off. Only requests that are safe are repeated. */
  readonly retries?: RetryOptions | false | undefined
  /**
   * Longest time for a response in milliseconds, without the time that `wait` asks for: default
   * 30 s for a GET, 120 s for others. For a stream, the time until its first byte.
   */
  readonly timeoutMs?: number | undefined
  /** Called for each request, without its headers and body. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined
  readonly onRetry?: ((retry: PlannedRetry) => void) | undefined
}
