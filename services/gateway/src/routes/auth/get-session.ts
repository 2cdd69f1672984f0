import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { HttpProblem } from '../../http/problem.ts'
import { crossSiteProblem } from '../../http/requests/same-origin.ts'
import { cookieOf } from '../../sessions/cookie-of.ts'
import { neverCached, requireSignIn } from './require-sign-in.ts'

/** `GET /auth/session`: who is signed in with this browser, and until when. */
export function addGetSessionRoute(app: App, { signIn }: GatewayContext): void {
  app.get('/auth/session', { onRequest: neverCached, schema: { hide: true } }, async (request) => {
    const { sessions } = requireSignIn(signIn)
    const problem = crossSiteProblem(request)
    if (problem !== undefined) throw problem
    const cookie = cookieOf(request, sessions)
    if (cookie === undefined)
      throw new HttpProblem(401, 'session_required', 'no one is signed in with this browser')
    const { stored, content } = await sessions.find(cookie)
    const { userId: id, expireTime, idleExpireTime } = stored
    const { name, email } = content
    return {
      user: { id, name, ...(email !== undefined && { email }) },
      expires_at: expireTime.toISOString(),
      idle_expires_at: idleExpireTime.toISOString(),
    }
  })
}
