import { createClient, type Client } from '@slipway/client'

import type { Session } from '../auth/session.ts'

/** Options of {@link openClient}. */
export interface ClientOptions {
  readonly url: string
  /** A fixed token, or the session that has one. */
  readonly token: string | Session | undefined
  /** Gets a line for each request. */
  readonly log?: ((line: string) => void) | undefined
}

/** Opens a client of a server. */
export function openClient({ url, token, log }: ClientOptions): Client {
  return createClient({
    url,
    token: typeof token === 'object' ? (request) => token.token(request) : token,
    userAgent: 'slipway-cli',
    onResponse:
      log &&
      (({ method, url: address, status, durationMs, requestId = '' }) =>
        log(`${method} ${address} ${status} ${Math.round(durationMs)} ms ${requestId}`)),
    onRetry:
      log && (({ delayMs, error }) => log(`again in ${Math.round(delayMs)} ms: ${error.message}`)),
  })
}
