import { hash } from 'node:crypto'

import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'

import { DomainError, Unauthenticated } from '../errors.ts'
import { LoadingCache } from '../loading-cache.ts'
import { CLIENT_CLAIMS, markOf } from './access-token-mark.ts'
import type { Caller } from './caller.ts'
import type { Issuer } from './issuers.ts'
import { IssuerKeySet } from './key-set.ts'
import { profileOf } from './profile.ts'

/** The tolerated difference between the clocks of issuers and services. */
const LEEWAY_SECONDS = 10
const MAX_CACHED_TOKENS = 10_000
/** The memory for verified tokens. Each takes its length, and what is read from it. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024
const CALLER_BYTES = 2 * 1024
/**
 * How long a verified token is cached. Verifying it again also keeps the issuer's keys up to date,
 * so a revoked key is noticed even if no token has an unknown key.
 */
const MAX_CACHED_MS = 60_000
const MAX_TOKEN_LENGTH = 16_384
const MAX_SHOWN_LENGTH = 200

/** Authenticates callers by their access tokens. */
export interface TokenVerifier {
  /**
   * Throws Unauthenticated for an invalid token, with the reason for the log as its cause;
   * Unavailable if the issuer's keys can't be fetched.
   */
  verify(token: string): Promise<Caller>
}

/**
 * Verifies JWT access tokens (RFC 9068, RFC 7519) of the given issuers: signature by the issuer's
 * published keys and an asymmetric algorithm, `iss`, `aud`, `exp`, `nbf`, `iat`, and the client. A
 * verified token is cached for at most a minute, and until its issuer publishes other keys. `now`
 * is the clock, in milliseconds. `onUnmarked` is called for a token that nothing marks as an access
 * token, if its issuer has no setting for these.
 */
export function createTokenVerifier(
  issuers: readonly Issuer[],
  now: () => number = Date.now,
  onUnmarked: (issuer: string) => void = () => {},
): TokenVerifier {
  const verified = new LoadingCache<Verified>({
    maxEntries: MAX_CACHED_TOKENS,
    memory: {
      maxBytes: MAX_CACHED_BYTES,
      bytesOf: ({ caller }) => CALLER_BYTES + ('token' in caller ? caller.token.length : 0),
    },
    freshUntil: ({ caller }, startedAt) =>
      Math.min(caller.expireTime.getTime(), startedAt + MAX_CACHED_MS),
    groupOf: ({ group }) => group,
    now,
  })
  const sources = new Map(
    issuers.map((issuer, index) => {
      const group = String(index)
      const keySet = new IssuerKeySet(issuer, now, () => verified.invalidate(group))
      return [issuer, { group, keySet }]
    }),
  )

  async function verifyUncached(token: string): Promise<Verified> {
    const claimed = unverifiedClaims(token)
    const audiences = [claimed.aud ?? []].flat()
    const candidates = issuers.filter((entry) => entry.issuer === claimed.iss)
    // Entries with an audience come first, so that an entry without one never accepts a service's
    // token as a user's.
    const issuer =
      candidates.find(({ audience }) => audience !== undefined && audiences.includes(audience)) ??
      candidates.find(({ audience }) => audience === undefined)
    const source = issuer && sources.get(issuer)
    if (issuer === undefined || source === undefined) {
      const named =
        candidates.length === 0 ? `iss ${shown(claimed.iss)}` : `aud ${shown(audiences)}`
      throw invalidToken(new Error(`no entry of AUTH_ISSUERS has ${named}`))
    }
    const { payload, protectedHeader } = await jwtVerify(token, source.keySet.find, {
      issuer: issuer.issuer,
      algorithms: [...issuer.algorithms],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
      ...(issuer.audience === undefined ? {} : { audience: issuer.audience }),
    })
    const type = (protectedHeader.typ ?? 'jwt').toLowerCase().replace(/^application\//, '')
    if (type !== 'at+jwt' && type !== 'jwt')
      throw invalidToken(new Error('typ is not at+jwt or JWT'))
    if (payload.iat !== undefined && payload.iat > now() / 1000 + LEEWAY_SECONDS)
      throw invalidToken(new Error('iat is in the future'))
    if (issuer.kind === 'user') requireAccessToken(issuer, payload, type, onUnmarked)
    requireClient(issuer, payload)
    return { caller: toCaller(issuer, payload, token), group: source.group }
  }

  return {
    async verify(token) {
      const key = hash('sha256', token, 'base64')
      const { caller } =
        verified.get(key) ?? (await verified.load(key, () => verifyUncached(token).catch(rethrow)))
      return caller
    },
  }
}

/**
 * An ID token identifies a user to a client. It does not grant access, unless the issuer has no
 * other JWTs and the operator has chosen to accept them.
 */
function requireAccessToken(
  issuer: Issuer,
  payload: JWTPayload,
  headerType: string,
  onUnmarked: (issuer: string) => void,
): void {
  const mark = markOf(issuer, payload, headerType)
  if (mark === 'access_token') return
  if (mark === 'other') {
    const { typ, events } = payload
    throw invalidToken(new Error(`it is not an access token: ${shown({ typ, events })}`))
  }
  if (issuer.acceptsIdTokens === true) return
  if (mark === 'id_token')
    throw invalidToken(new Error('it is an ID token, and its issuer has no "id_tokens": true'))
  if (issuer.acceptsUnmarkedTokens === false)
    throw invalidToken(new Error('nothing marks it as an access token: "unmarked_tokens" is false'))
  if (issuer.acceptsUnmarkedTokens === undefined) onUnmarked(issuer.issuer)
}

/** A token that names two clients needs both to be accepted. */
function requireClient({ clients }: Issuer, payload: JWTPayload): void {
  if (clients === undefined) return
  const named = CLIENT_CLAIMS.flatMap((claim) => payload[claim] ?? [])
  if (named.length > 0 && named.every((id) => clients.some((known) => known === id))) return
  throw invalidToken(new Error(`"clients" in AUTH_ISSUERS does not accept ${shown(named)}`))
}

/** A verified token: its caller, and the group of its issuer in the cache. */
interface Verified {
  readonly caller: Caller
  readonly group: string
}

function unverifiedClaims(token: string): JWTPayload {
  if (token.length > MAX_TOKEN_LENGTH)
    throw invalidToken(new Error(`it is longer than ${MAX_TOKEN_LENGTH} characters`))
  try {
    return decodeJwt(token)
  } catch (cause) {
    throw invalidToken(cause)
  }
}

function toCaller(issuer: Issuer, payload: JWTPayload, token: string): Caller {
  const expireTime = new Date((payload.exp ?? 0) * 1000)
  const subject = payload.sub ?? ''
  // A database can't store NUL or lone surrogates, so two such subjects could become the same.
  const isStorable = subject.isWellFormed() && !subject.includes('\0')
  if (subject === '' || subject.length > 255 || !isStorable)
    throw invalidToken(new Error('sub is empty, longer than 255 characters or not storable'))
  if (issuer.kind === 'service') {
    const name = issuer.services.get(subject)
    if (name === undefined)
      throw invalidToken(new Error(`"services" in AUTH_ISSUERS has no sub ${shown(subject)}`))
    return { kind: 'service', name, expireTime }
  }
  return {
    kind: 'user',
    realm: issuer.realm,
    subject,
    ...(typeof payload.iat === 'number' && { issueTime: new Date(payload.iat * 1000) }),
    expireTime,
    token,
    profile: profileOf(payload),
  }
}

/** The claims of a token that was verified before. */
export function verifiedClaims(token: string): JWTPayload {
  return decodeJwt(token)
}

/** A claim as JSON, cut, because the caller chooses it. */
function shown(claim: unknown): string {
  return (JSON.stringify(claim) ?? 'missing').slice(0, MAX_SHOWN_LENGTH)
}

/** The cause is for the log only. */
function invalidToken(cause: unknown): Unauthenticated {
  return new Unauthenticated('invalid_token', 'the access token is not valid', { cause })
}

function rethrow(error: unknown): never {
  if (error instanceof DomainError) throw error
  if (error instanceof errors.JWTExpired) {
    throw new Unauthenticated('token_expired', 'the access token has expired', { cause: error })
  }
  throw invalidToken(error)
}
