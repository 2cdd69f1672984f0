import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { GatewayContext } from '../../context.ts'
import { byCodePoint, codeOfStatus, HttpProblem, problemBody, toHttpProblem } from '../problem.ts'
import { challengeFor } from './authentication.ts'
import { isUnreadable } from '../malformed-urls.ts'
import { validationTexts, type Failure } from '../validation-messages.ts'

/**
 * Answers every error with a problem body; 5xx are logged with their cause and tell nothing of it.
 */
export function addErrorHandling(app: FastifyInstance, { logger }: GatewayContext): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = problemOf(error)
    if (problem.status >= 500) {
      logger.error(
        { requestId: request.id, status: problem.status, err: problem.cause ?? error },
        'request_failed',
      )
    }
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler((request, reply) => {
    const problem = isUnreadable(request)
      ? new HttpProblem(400, 'invalid_argument', 'the path of the request can not be decoded')
      : new HttpProblem(404, 'route_not_found', 'there is no such path')
    return sendProblem(request, reply, problem)
  })
}

/** The problem that an error stands for, be it of the framework, of the gateway or of an RPC. */
export function problemOf(error: unknown): HttpProblem {
  return isFrameworkError(error) ? fromFrameworkError(error) : toHttpProblem(error)
}

/** Sends a problem with the headers that belong to it; `extension` adds members to the body. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: HttpProblem,
  extension: object = {},
): FastifyReply {
  if (problem.status === 401) reply.header('www-authenticate', challengeFor(request))
  // The framework would close the connection with the rest of the body unread, and whoever is still
  // sending it would lose the answer. It is read and dropped instead, for no longer than any
  // request may take.
  if (problem.status === 413) reply.removeHeader('connection')
  // Nobody who asks too much keeps a connection by it; a proxy's is for others, too.
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

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

function fromFrameworkError(error: FastifyError): HttpProblem {
  if (error.validation) {
    const part = error.validationContext ?? 'request'
    const problems = validationTexts(error.validation as readonly Failure[], part)
    return new HttpProblem(400, 'invalid_argument', `the ${part} of the request is not valid`, {
      validationErrors: [...new Set(problems)].sort(byCodePoint),
    })
  }
  const status = error.statusCode ?? 500
  const known: Record<number, [string, string]> = {
    400: ['invalid_argument', 'the request can not be read'],
    413: ['too_large', 'the body of the request is too large'],
    415: ['unsupported_media_type', 'the body of the request must be application/json'],
  }
  const [code, message] = known[status] ?? [
    codeOfStatus(status),
    status >= 500 ? 'internal error' : error.message,
  ]
  return new HttpProblem(status, code, message, { cause: error })
}
