import { isVerified, type UserCaller } from '@slipway/shared/auth'

import type { IssuedTokens } from './identity-provider.ts'

/** A token is refreshed this long before it expires, or after most of a short lifetime. */
const REFRESH_BEFORE_MS = 60_000
const REFRESH_AFTER = 0.8
const MAX_NAME_LENGTH = 255

/** What a session contains. It is stored encrypted only. */
export interface SessionContent {
  /** The token with which the services are called for the user. */
  readonly token: string
  readonly refreshToken?: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly refreshAt: number
  /** The user's name, for people. */
  readonly name: string
  readonly email?: string
}

/** The content of a session for new tokens. `caller` is their verified user. */
export function contentOf(
  { token, refreshToken, claims }: IssuedTokens,
  caller: UserCaller,
  previous?: SessionContent,
): SessionContent {
  const now = Date.now()
  const expiresAt = caller.expireTime.getTime()
  const lifetime = Math.max(0, expiresAt - now)
  const kept = refreshToken ?? previous?.refreshToken
  const claimed = isVerified(claims['email_verified']) ? textOf(claims['email']) : undefined
  const email = caller.profile.email ?? claimed ?? previous?.email
  return {
    token,
    ...(kept !== undefined && { refreshToken: kept }),
    expiresAt,
    refreshAt: now + Math.max(lifetime - REFRESH_BEFORE_MS, lifetime * REFRESH_AFTER),
    name: nameOf(caller, claims) ?? previous?.name ?? email ?? caller.subject,
    ...(email !== undefined && { email }),
  }
}

function nameOf(
  { profile }: UserCaller,
  claims: Readonly<Record<string, unknown>>,
): string | undefined {
  const { name, givenName, familyName, preferredUsername } = profile
  const full = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  return (
    name ??
    textOf(claims['name']) ??
    (full === '' ? undefined : full) ??
    preferredUsername ??
    textOf(claims['preferred_username'])
  )
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim.slice(0, MAX_NAME_LENGTH) : undefined
}
