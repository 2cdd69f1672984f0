import type { onRequestHookHandler } from 'fastify'

import { HttpProblem } from '../../http/problem.ts'
import type { SignIn } from '../../sessions/sign-in.ts'

/** Throws a 404 problem if people can't sign in with a browser. */
export function requireSignIn(signIn: SignIn | undefined): SignIn {
  if (signIn !== undefined) return signIn
  throw new HttpProblem(
    404,
    'sign_in_not_configured',
    'this server has no sign-in for browsers; its operator must set SIGN_IN_CLIENT_ID',
  )
}

/** Keeps responses about sessions out of all caches. */
export const neverCached: onRequestHookHandler = (_request, reply, done) => {
  reply.header('cache-control', 'no-store')
  done()
}
