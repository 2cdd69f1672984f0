import type { FastifyReply, FastifyRequest } from 'fastify'

import { readCookies, removeCookie, setCookie } from '../../sessions/cookies.ts'
import type { SignInChecks } from '../../sessions/identity-provider.ts'
import type { SessionKeys } from '../../sessions/session-keys.ts'

/** How long a person may take at the identity provider. */
const LIFETIME_SECONDS = 600
/** How many sign-ins of a browser, in several tabs, can be pending. */
const MAX_PENDING = 5
const PREFIX = '__Host-slipway-sign-in-'
const PURPOSE = 'sign-in'
const STATE = /^[\w-]{43}$/

/** A sign-in between its start and its end. */
export interface PendingSignIn {
  readonly checks: SignInChecks
  readonly redirectUri: string
  readonly returnTo: string
}

/**
 * Stores a sign-in in the browser that has begun it, encrypted. Each has its own cookie, so that
 * two tabs can sign in at the same time.
 */
export function storePending(
  request: FastifyRequest,
  reply: FastifyReply,
  keys: SessionKeys,
  pending: PendingSignIn,
): void {
  const others = [...readCookies(request.raw, PREFIX).keys()]
  if (others.length >= MAX_PENDING)
    for (const name of others) reply.header('set-cookie', removeCookie(name))
  const expiresAt = Date.now() + LIFETIME_SECONDS * 1000
  const sealed = keys.seal(JSON.stringify({ ...pending, expiresAt }), PURPOSE)
  const name = `${PREFIX}${pending.checks.state}`
  reply.header('set-cookie', setCookie(name, sealed.toString('base64url'), LIFETIME_SECONDS))
}

/**
 * Takes the sign-in with a state out of the browser. Undefined if this browser has not begun it, or
 * too long ago.
 */
export function takePending(
  request: FastifyRequest,
  reply: FastifyReply,
  keys: SessionKeys,
  state: unknown,
): PendingSignIn | undefined {
  if (typeof state !== 'string' || !STATE.test(state)) return undefined
  const name = `${PREFIX}${state}`
  const cookie = readCookies(request.raw, name).get(name)
  if (cookie === undefined) return undefined
  reply.header('set-cookie', removeCookie(name))
  const text = keys.open(Buffer.from(cookie, 'base64url'), PURPOSE)
  if (text === undefined) return undefined
  const pending = JSON.parse(text) as PendingSignIn & { readonly expiresAt: number }
  const isCurrent = pending.checks.state === state && Date.now() < pending.expiresAt
  return isCurrent ? pending : undefined
}
