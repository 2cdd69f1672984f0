import { createClient, type Client } from '@slipway/client'

import type { Session } from '../auth/session.ts'
import type { Unanswered } from './unanswered.ts'

/** Options of {@link openClient}. */
export interface ClientOptions {
  readonly url: string
  /** A fixed token, or the session that has one. */
  readonly token: string | Session | undefined
  /** Ends requests that read. Those that change something go on at the server anyway. */
  readonly signal: AbortSignal
  readonly unanswered?: Unanswered
  /** Gets a line for each request. */
  readonly log?: ((line: string) => void) | undefined
}

/** Opens a client of a server. */
export function openClient({ url, token, signal, unanswered, log }: ClientOptions): Client {
  const client = createClient({
    url,
    token: typeof token === 'object' ? (request) => token.token(request) : token,
    userAgent: 'slipway-cli',
    onRequest: (request) => unanswered?.sent(request),
    onResponse: (response) => {
      unanswered?.answered(response)
      const { method, url: address, status, durationMs, requestId = '' } = response
      log?.(`${method} ${address} ${status} ${Math.round(durationMs)} ms ${requestId}`)
    },
    onRetry:
      log && (({ delayMs, error }) => log(`again in ${Math.round(delayMs)} ms: ${error.message}`)),
  })
  const get = client.GET as (path: string, init: object) => Promise<unknown>
  return { ...client, GET: ((path, init) => get(path, { signal, ...init })) as Client['GET'] }
}
