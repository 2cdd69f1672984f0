import { toConnectionError } from '@slipway/client'

/** Says why a request got no response, in the words of the client. */
export function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response in time'
  const { reason, detail } = toConnectionError(error, '')
  if (reason !== 'unknown' || !(error instanceof Error)) return detail
  let cause = error
  while (cause.cause instanceof Error) cause = cause.cause
  return cause.message
}
