import type { Case } from './case.ts'

/** A case whose body may be any JSON. */
export interface DeploymentCase extends Omit<Case, 'body'> {
  readonly body?: unknown
  /** The response is a stream; only its beginning is compared. */
  readonly isStream?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT_BODY = { rawBody: 'name=x', headers: { 'content-type': 'text/plain' }, isHttpOnly: true }
const LARGE_BODY = {
  rawBody: `{"x":"${'x'.repeat(1_100_000)}"}`,
  headers: JSON_TYPE,
  isHttpOnly: true,
}
/** A body of a wrong type. */
export const WRONG_TYPES = { rawBody: '[]', headers: JSON_TYPE, isHttpOnly: true }
/** An invalid idempotency key. */
export const BAD_KEY = { headers: { 'idempotency-key': 'no blanks' }, isHttpOnly: true }
/** An account that doesn't exist. */
export const NOWHERE = 'no-such-account'
/** The problem for a malformed field. */
export const INVALID = { status: 400, code: 'invalid_argument' } as const

/** How a route with a body responds to unusable ones. */
export function bodies(good: DeploymentCase): DeploymentCase[] {
  const { body: _, ...rest } = good
  return [
    { ...rest, status: 413, code: 'too_large', ...LARGE_BODY },
    { ...rest, status: 415, code: 'unsupported_media_type', ...TEXT_BODY },
  ]
}

/** How a route for members responds to everyone else. */
export function refusals(good: DeploymentCase): DeploymentCase[] {
  return [
    { ...good, caller: 'anonymous', status: 401, code: 'token_required' },
    { ...good, caller: 'stranger', status: 403, code: 'permission_denied' },
  ]
}
