import { bearerToken } from '@slipway/shared/auth'

/**
 * Returns the token of a sender's Authorization header. The values in `OTEL_EXPORTER_OTLP_HEADERS`
 * are percent-encoded, and some senders don't decode them.
 */
export function sentToken(authorization: string | null | undefined): string | undefined {
  return bearerToken(authorization?.replace(/^bearer%20/i, 'Bearer '))
}
