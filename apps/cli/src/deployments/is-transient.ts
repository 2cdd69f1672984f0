import { ApiError, ConnectionError } from '@slipway/client'

/** Whether the server may answer the same request later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reason !== 'not_slipway'
  return error instanceof ApiError && (error.status === 429 || error.status >= 500)
}
