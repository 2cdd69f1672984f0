import { ApiError } from '@slipway/client'

/** Whether the server has answered that something doesn't exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
