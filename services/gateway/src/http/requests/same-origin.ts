import type { FastifyRequest } from 'fastify'

import { HttpProblem } from '../problem.ts'
import { publicOrigin } from './public-origin.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The problem with a request that another site may have made a browser send with the cookie of its
 * user; undefined if there is none. Browsers set `Sec-Fetch-Site` on requests to safe origins, and
 * `Origin` on all that change something; pages can set neither.
 */
export function crossSiteProblem(request: FastifyRequest): HttpProblem | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isSafe = SAFE_METHODS.has(request.method)
  const isOwn =
    site === undefined
      ? (isSafe && origin === undefined) ||
        (origin !== undefined && origin === publicOrigin(request))
      : site === 'same-origin' || (isSafe && site === 'none')
  if (isOwn) return undefined
  return new HttpProblem(
    403,
    'cross_site_request',
    'with the cookie of a session, only pages of this server may send requests: send ' +
      '"Sec-Fetch-Site: same-origin" or the Origin of this server, or use an access token',
  )
}
