import type { Case } from './case.ts'
import type { Caller } from '../support/catalog-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT_BODY = { rawBody: 'name=x', headers: { 'content-type': 'text/plain' }, isHttpOnly: true }
const LARGE_BODY = {
  rawBody: `{"x":"${'x'.repeat(1_100_000)}"}`,
  headers: JSON_TYPE,
  isHttpOnly: true,
}
const WRONG_TYPES = { rawBody: '[]', headers: JSON_TYPE, isHttpOnly: true }
const NO_JSON = { rawBody: '{"name":', headers: JSON_TYPE, isHttpOnly: true }

/** An account that doesn't exist. */
export const NOWHERE = 'no-such-account'
/** The problem for a malformed field. */
export const INVALID = { status: 400, code: 'invalid_argument' } as const
/** For cases that only HTTP has; the gateway decides them. */
export const INVALID_HTTP = { ...INVALID, isHttpOnly: true } as const

/** How every route with a body responds when the body is missing or not JSON. */
export function badBodies(
  route: string,
  caller: Caller,
  params: Readonly<Record<string, string>>,
): Case[] {
  return [
    { route, ...INVALID, caller, params, ...WRONG_TYPES },
    { route, ...INVALID, caller, params, ...NO_JSON },
    ...unwantedBodies(route, caller, params),
  ]
}

/** How every route but a GET responds to an unusable body, even when it needs none. */
export function unwantedBodies(
  route: string,
  caller: Caller,
  params: Readonly<Record<string, string>>,
): Case[] {
  return [
    { route, status: 413, code: 'too_large', caller, params, ...LARGE_BODY },
    { route, status: 415, code: 'unsupported_media_type', caller, params, ...TEXT_BODY },
  ]
}

/** How every POST responds to an invalid idempotency key. */
export function badKey(good: Case): Case {
  return { ...good, ...INVALID_HTTP, headers: { 'idempotency-key': 'no blanks' } }
}

/** How every route that needs a token responds to callers without a valid one. */
export function signedOut(good: Case): Case[] {
  return [
    { ...good, caller: 'anonymous', status: 401, code: 'token_required' },
    { ...good, caller: 'expired', status: 401, code: 'token_expired' },
    { ...good, caller: 'forged', status: 401, code: 'invalid_token' },
  ]
}

/** How every route for owners and admins responds to everyone else. */
export function refusals(good: Case): Case[] {
  return [
    ...signedOut(good),
    { ...good, caller: 'member', status: 403, code: 'permission_denied' },
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
  ]
}
