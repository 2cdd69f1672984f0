import { readFile } from 'node:fs/promises'

import { decodeJwt } from 'jose'

import type { ConfigReader } from '../config/config.ts'
import { Unavailable } from '../errors.ts'

/** A token is renewed after this fraction of its lifetime. */
const RENEW_AT = 0.8
const FETCH_TIMEOUT_MS = 5_000
/**
 * After a failed renewal, the current token is used for this long before the next attempt, if it is
 * still valid.
 */
const RETRY_AFTER_MS = 5_000

/** The source of a service's own token. */
export type ServiceTokenConfig =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'client_credentials'
      readonly url: string
      readonly clientId: string
      readonly clientSecret: string
      readonly resource: string
    }

/**
 * Returns the service's own token, renewed before it expires. Throws Unavailable if there is no
 * valid token.
 */
export type ServiceTokenSource = () => Promise<string>

/**
 * Reads the source of the service token: SERVICE_TOKEN_FILE, or client credentials for
 * SERVICE_TOKEN_URL.
 */
export function readServiceTokenConfig(reader: ConfigReader): ServiceTokenConfig {
  const path = reader.optional('SERVICE_TOKEN_FILE')
  if (path !== undefined) return { kind: 'file', path }
  return {
    kind: 'client_credentials',
    url: reader.string('SERVICE_TOKEN_URL'),
    clientId: reader.string('SERVICE_CLIENT_ID'),
    clientSecret: reader.string('SERVICE_CLIENT_SECRET'),
    resource: reader.string('SERVICE_TOKEN_RESOURCE', 'urn:slipway:internal'),
  }
}

/**
 * Creates the source of a service's own token. Concurrent callers share one renewal. A failed
 * renewal is not an error while the current token is valid. `now` is the clock, in milliseconds.
 */
export function createServiceTokenSource(
  config: ServiceTokenConfig,
  now: () => number = () => Date.now(),
): ServiceTokenSource {
  let token: string | undefined
  let renewAt = 0
  let expiresAt = 0
  let renewing: Promise<string> | undefined

  async function renew(): Promise<string> {
    try {
      const renewed =
        config.kind === 'file'
          ? (await readFile(config.path, 'utf8')).trim()
          : await requestToken(config)
      expiresAt = (decodeJwt(renewed).exp ?? 0) * 1000
      renewAt = now() + Math.max(0, expiresAt - now()) * RENEW_AT
      token = renewed
      return token
    } catch (cause) {
      if (token !== undefined && now() + RETRY_AFTER_MS < expiresAt) {
        renewAt = now() + RETRY_AFTER_MS
        return token
      }
      const message =
        config.kind === 'file'
          ? 'the file of the service token has no token'
          : 'the token issuer is unreachable'
      throw new Unavailable('service_token_unavailable', message, { cause })
    } finally {
      renewing = undefined
    }
  }

  return async () => {
    if (token !== undefined && now() < renewAt) return token
    renewing ??= renew()
    return await renewing
  }
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
async function requestToken(
  config: ServiceTokenConfig & { kind: 'client_credentials' },
): Promise<string> {
  const basic = [config.clientId, config.clientSecret].map(encodeURIComponent).join(':')
  const response = await fetch(config.url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: config.resource }),
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the token endpoint returned ${response.status}`)
  const body = (await response.json()) as { access_token?: unknown }
  if (typeof body.access_token !== 'string')
    throw new Error('the response of the token endpoint has no token')
  return body.access_token
}
