import type { Logger } from '@slipway/shared/logger'
import type { FastifyInstance } from 'fastify'

import { isMalformedUrl } from '../malformed-urls.ts'
import { HttpProblem } from '../problem.ts'
import { problemOf, sendProblem } from '../send-problem.ts'

/**
 * Responds to every error with a problem body. A 5xx is logged with its cause, which the response
 * doesn't reveal.
 */
export function addErrorHandling(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = problemOf(error, request)
    if (problem.status >= 500) {
      logger.error(
        { requestId: request.id, status: problem.status, err: problem.cause ?? error },
        'request_failed',
      )
    }
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler((request, reply) => {
    const problem = isMalformedUrl(request)
      ? new HttpProblem(400, 'invalid_argument', 'the path is not valid percent-encoded UTF-8')
      : new HttpProblem(404, 'route_not_found', 'this path does not exist; see /docs')
    return sendProblem(request, reply, problem)
  })
}
