import { finished } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { fromFastifyError, isFastifyError } from './fastify-errors.ts'
import { problemBody, type HttpProblem } from '../problem.ts'
import { API_PATH, METADATA_PATH, publicOrigin } from '../requests/public-origin.ts'
import { toHttpProblem } from './to-http-problem.ts'

/** Returns the problem to send for an error of Fastify, of the gateway or of an RPC. */
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
  // sending would never see the response. Instead, the rest is read and dropped, within the time
  // limit for any request.
  // A client that waits for a 100 sends no rest.
  const isWaiting = request.headers.expect !== undefined
  if (problem.status === 413 && !isWaiting) reply.removeHeader('connection')
  // Close the connections of clients that send too many requests, but never a proxy's: it carries
  // other clients' requests as well.
  if (problem.status === 429 && request.ip === request.socket.remoteAddress)
    reply.header('connection', 'close')
  if (problem.retryAfterMs !== undefined)
    reply.header('retry-after', Math.max(1, Math.ceil(problem.retryAfterMs / 1000)))
  // With a cookie, shared caches could otherwise keep it for other users.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  const body = JSON.stringify({
    ...problemBody(problem, { url: request.originalUrl, id: request.id }),
    ...extension,
  })
  reply
    .code(problem.status)
    .type('application/problem+json')
    .serializer((text: string) => text)
  if (problem.status !== 413 || isWaiting || reply.raw.shouldKeepAlive) return reply.send(body)
  // The connection ends with the response, as the client asked for, so the rest is read first.
  finished(request.raw.resume(), (error) => {
    if (!error) reply.send(body)
  })
  return reply
}

/** The `WWW-Authenticate` challenge of a 401 (RFC 6750, section 3; RFC 9728, section 5.1). */
function challengeFor(request: FastifyRequest): string {
  const origin = publicOrigin(request)
  const parameters = [
    ...(request.headers.authorization === undefined ? [] : ['error="invalid_token"']),
    ...(origin === undefined ? [] : [`resource_metadata="${origin}${METADATA_PATH}${API_PATH}"`]),
  ]
  return parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`
}
