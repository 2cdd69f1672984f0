import { Type } from 'typebox'

import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { crossSiteProblem } from '../../http/requests/same-origin.ts'
import { cookieOf } from '../../sessions/cookie-of.ts'
import { removeCookie, SESSION_COOKIE } from '../../sessions/cookies.ts'
import { sessionEnded } from '../../sessions/session-store.ts'
import { neverCached, requireSignIn } from './require-sign-in.ts'

const Query = Type.Object({ everywhere: Type.Optional(Type.Boolean()) })

/** `POST /auth/sign-out`: ends the session, or with `?everywhere=true` all of the user. */
export function addSignOutRoute(app: App, { signIn }: GatewayContext): void {
  app.post(
    '/auth/sign-out',
    {
      onRequest: [
        neverCached,
        // Before the body is read.
        (request, _reply, done) => done(crossSiteProblem(request)),
      ],
      schema: { hide: true, querystring: Query },
    },
    async (request, reply) => {
      const { sessions } = requireSignIn(signIn)
      const cookie = cookieOf(request, sessions)
      const everywhere = request.query.everywhere === true
      // Also if the catalog is unavailable: this browser is signed out anyway.
      reply.header('set-cookie', removeCookie(SESSION_COOKIE))
      // Browsers store responses, to ask whether they have changed.
      reply.header('clear-site-data', '"cache"')
      const hasEnded = cookie !== undefined && (await sessions.end(cookie, everywhere))
      // Otherwise, who has ended this session first could keep the others.
      if (everywhere && !hasEnded) throw sessionEnded()
      return await reply.code(204).send()
    },
  )
}
