import type { RequestOrigin } from '@slipway/shared/rpc'

/** The user that an operation runs for, and the request that asked for it. */
export interface Actor {
  readonly userId: string
  readonly origin: RequestOrigin
  /** Ends waiting for a lock or the cluster; an operation whose intent is stored goes on. */
  readonly signal: AbortSignal
}
