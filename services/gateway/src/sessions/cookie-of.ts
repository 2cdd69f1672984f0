import type { FastifyRequest } from 'fastify'

import { readCookies, SESSION_COOKIE } from './cookies.ts'
import type { SessionCookie } from './session-keys.ts'
import type { Sessions } from './sessions.ts'

/** The session cookie of a request; undefined if it has none that this server could have made. */
export function cookieOf(request: FastifyRequest, sessions: Sessions): SessionCookie | undefined {
  const text = readCookies(request.raw, SESSION_COOKIE).get(SESSION_COOKIE)
  return text === undefined ? undefined : sessions.readCookie(text)
}
