import type { RequestOrigin } from '@slipway/shared/rpc'

/** The user and the request that started an operation. */
export interface Actor {
  readonly userId: string
  readonly origin: RequestOrigin
  /** Ends waiting for a lock or the cluster. An operation whose intent is stored continues. */
  readonly signal: AbortSignal
}
