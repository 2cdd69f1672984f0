import type { FastifyRequest } from 'fastify'

import { HttpProblem } from '../problem.ts'

/** In this header, a page names the user whom it shows. */
const SHOWN_USER = 'slipway-user'

/**
 * The problem with a request of a page that shows another user than the one of its cookie, because
 * somebody else has signed in in another tab; undefined if there is none.
 */
export function otherUserProblem(
  { headers }: FastifyRequest,
  userId: string,
): HttpProblem | undefined {
  const shown = headers[SHOWN_USER]
  if (shown === undefined || shown === userId) return undefined
  const message = 'another user has signed in with this browser; load the page again'
  return new HttpProblem(401, 'other_user', message)
}
