import type { Logger } from '@slipway/shared/logger'
import type { FastifyInstance } from 'fastify'

import type { ConsoleFile } from '../console/console-files.ts'
import { isOfPeople, sendPage } from '../console/send-page.ts'
import { isMalformedUrl } from '../requests/malformed-urls.ts'
import { HttpProblem } from '../problem.ts'
import { problemOf, sendProblem } from '../problems/send-problem.ts'
import { addVary } from '../responses/vary.ts'

/**
 * Responds to every error with a problem body. A 5xx is logged with its cause, which the response
 * doesn't reveal. Browsers that open a page that doesn't exist get the page of the console, if
 * there is one, which says so.
 */
export function addErrorHandling(
  app: FastifyInstance,
  logger: Logger,
  page: ConsoleFile | undefined,
): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = problemOf(error, request)
    if (problem.status >= 500) {
      logger.error(
        { request_id: request.id, status: problem.status, err: problem.cause ?? error },
        'request_failed',
      )
    }
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler((request, reply) => {
    if (isMalformedUrl(request)) {
      const message = 'the path is not valid percent-encoded UTF-8'
      return sendProblem(request, reply, new HttpProblem(400, 'invalid_argument', message))
    }
    if (page !== undefined) {
      addVary(reply, 'Accept')
      if (isOfPeople(request)) return sendPage(request, reply.code(404), page)
    }
    const message = 'this path does not exist; see /docs'
    return sendProblem(request, reply, new HttpProblem(404, 'route_not_found', message))
  })
}
