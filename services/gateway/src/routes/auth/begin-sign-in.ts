import { Type } from 'typebox'

import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { HttpProblem } from '../../http/problem.ts'
import { publicOrigin } from '../../http/requests/public-origin.ts'
import { sendFailurePage } from './failure-page.ts'
import { storePending } from './pending-sign-in.ts'
import { neverCached, requireSignIn } from './require-sign-in.ts'
import { returnPath } from './return-path.ts'

/** Where the issuer sends the browser back to. */
export const CALLBACK_PATH = '/auth/callback'

const Query = Type.Object({ return_to: Type.Optional(Type.String()) })

/** `GET /auth/sign-in`: sends the browser to the identity provider. */
export function addBeginSignInRoute(app: App, { signIn, logger }: GatewayContext): void {
  app.get(
    '/auth/sign-in',
    { onRequest: neverCached, schema: { hide: true, querystring: Query } },
    async (request, reply) => {
      const { provider, keys, sharedSite } = requireSignIn(signIn)
      const origin = publicOrigin(request)
      if (origin === undefined)
        throw new HttpProblem(400, 'invalid_argument', 'the Host header is not valid')
      sharedSite.check(origin)
      const redirectUri = `${origin}${CALLBACK_PATH}`
      const checks = provider.newChecks()
      try {
        const page = await provider.signInPage(redirectUri, checks)
        const returnTo = returnPath(request.query.return_to)
        storePending(request, reply, keys, { checks, redirectUri, returnTo })
        return await reply.redirect(page.href)
      } catch (error) {
        logger.warn({ request_id: request.id, err: error }, 'sign_in_failed')
        return await sendFailurePage(reply, 'unavailable')
      }
    },
  )
}
