import type { Logger } from '@slipway/shared/logger'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isMalformedUrl } from '../malformed-urls.ts'
import { byCodePoint, codeOfStatus, HttpProblem, problemBody } from '../problem.ts'
import { toHttpProblem } from '../to-http-problem.ts'
import { validationMessages, type Failure } from '../validation-messages.ts'
import { challengeFor } from './authentication.ts'

/**
 * Answers every error with a problem body. A 5xx is logged with its cause, which the answer doesn't
 * reveal.
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

/** The problem to answer with for an error of Fastify, of the gateway or of an RPC. */
export function problemOf(error: unknown, request: FastifyRequest): HttpProblem {
  return isFastifyError(error)
    ? fromFastifyError(error, request.server.initialConfig.bodyLimit ?? 0)
    : toHttpProblem(error)
}

/** Sends a problem with the headers that belong to it. `extension` adds members to the body. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: HttpProblem,
  extension: object = {},
): FastifyReply {
  if (problem.status === 401) reply.header('www-authenticate', challengeFor(request))
  // Fastify would close the connection with the rest of the body unread, and a client that is still
  // sending would never see the answer. Instead the rest is read and dropped, for no longer than
  // any request may take.
  if (problem.status === 413) reply.removeHeader('connection')
  // Close the connections of clients that send too many requests, but never a proxy's: it carries
  // other clients' requests as well.
  if (problem.status === 429 && request.ip === request.socket.remoteAddress)
    reply.header('connection', 'close')
  if (problem.retryAfterMs !== undefined)
    reply.header('retry-after', Math.max(1, Math.ceil(problem.retryAfterMs / 1000)))
  const body = JSON.stringify({
    ...problemBody(problem, { url: request.originalUrl, id: request.id }),
    ...extension,
  })
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .serializer((text: string) => text)
    .send(body)
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

/** What users call the parts of a request that Fastify validates. */
const NAME_OF_PART: Readonly<Record<string, string>> = {
  body: 'request body',
  headers: 'request header',
  params: 'path',
  querystring: 'query',
}

function fromFastifyError(error: FastifyError, bodyLimitBytes: number): HttpProblem {
  if (error.validation) {
    const part = error.validationContext ?? 'request'
    const problems = validationMessages(error.validation as readonly Failure[], part)
    const message = `the ${NAME_OF_PART[part] ?? part} is not valid`
    return new HttpProblem(400, 'invalid_argument', message, {
      validationErrors: [...new Set(problems)].sort(byCodePoint),
    })
  }
  const status = error.statusCode ?? 500
  const known: Record<number, [string, string]> = {
    400: ['invalid_argument', 'the request is malformed'],
    413: ['too_large', `the request body must not exceed ${bodyLimitBytes} bytes`],
    415: ['unsupported_media_type', 'the request body must be application/json'],
  }
  const [code, message] = known[status] ?? [
    codeOfStatus(status),
    status >= 500 ? 'internal error' : error.message,
  ]
  return new HttpProblem(status, code, message, { cause: error })
}
