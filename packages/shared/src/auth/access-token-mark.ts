import type { JWTPayload } from 'jose'

import type { Issuer } from './issuers.ts'

/** The claims that name the client of a token: OpenID Connect, RFC 9068, Okta. */
export const CLIENT_CLAIMS = ['azp', 'client_id', 'cid'] as const

/**
 * Claims that only access tokens have: RFC 9068, Okta (`scp`, `cid`), Entra ID (`scp`, `azpacr`,
 * `appidacr`) and Auth0 (`gty`). ID tokens also have `azp`.
 */
const MARKS = ['scope', 'scp', 'client_id', 'cid', 'azpacr', 'appidacr', 'gty'] as const

/** Claims that only ID tokens have: https://openid.net/specs/openid-connect-core-1_0.html */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash', 'nonce'] as const

/** The `typ` claims of Keycloak's other tokens. Those of OpenID Connect have the claim `events`. */
const OTHER_TYPES = ['id', 'refresh', 'offline', 'logout', 'serialized-id']

/** What a token is: `unmarked` if nothing in it says so. */
export type TokenMark = 'access_token' | 'id_token' | 'other' | 'unmarked'

/**
 * Distinguishes access tokens and ID tokens. The audience of an ID token is its client, so a token
 * without a mark whose audience is a client is an ID token.
 */
export function markOf(issuer: Issuer, payload: JWTPayload, headerType: string): TokenMark {
  if (ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined)) return 'id_token'
  const type = typeof payload['typ'] === 'string' ? payload['typ'].toLowerCase() : undefined
  if (type === 'id' || payload['token_use'] === 'id') return 'id_token'
  const isEvent = payload['events'] !== undefined
  if (isEvent || (type !== undefined && OTHER_TYPES.includes(type))) return 'other'
  const isMarked =
    headerType === 'at+jwt' ||
    type === 'bearer' ||
    payload['token_use'] === 'access' ||
    MARKS.some((claim) => payload[claim] !== undefined)
  if (isMarked) return 'access_token'
  return isForClient(issuer, payload) ? 'id_token' : 'unmarked'
}

function isForClient({ clients = [], login }: Issuer, payload: JWTPayload): boolean {
  const named = [...CLIENT_CLAIMS.map((claim) => payload[claim]), ...clients, login?.clientId]
  return [payload.aud ?? []].flat().some((audience) => named.includes(audience))
}
