import type { FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding } from '../responses/accept-encoding.ts'
import { entityTag, matchesEtag } from '../responses/entity-tag.ts'
import { PAGE_POLICY } from '../responses/security-headers.ts'
import { addVary } from '../responses/vary.ts'
import type { ConsoleFile } from './console-files.ts'

/** Paths of programs, below which a wrong path must not look like a page. */
const OF_PROGRAMS = /^\/(?:api|assets|auth|livez|readyz|\.well-known)(?:[/?]|$)/

/** Whether a browser opens a page with a request. */
export function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

/** Whether a browser opens a page, and not a path of the API that doesn't exist. */
export function isOfPeople(request: FastifyRequest): boolean {
  const { method, originalUrl } = request
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && isNavigation(request) && !OF_PROGRAMS.test(originalUrl)
}

/** Sends the page of the console, which finds out what to show at the address. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ConsoleFile,
): FastifyReply {
  reply.header('cache-control', 'no-cache').header('content-security-policy', PAGE_POLICY)
  return sendFile(request, reply, page)
}

/** Sends a file in the encoding that the client prefers, or a 304 if the client has it. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ConsoleFile,
): FastifyReply {
  addVary(reply, 'Accept-Encoding')
  const accepted = acceptedEncoding(request.headers['accept-encoding'])
  const compressed = accepted === undefined ? undefined : file.compressed.get(accepted)
  const encoding = compressed === undefined ? undefined : accepted
  if (reply.statusCode === 200) {
    const etag = entityTag(file.digest, encoding)
    reply.header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(compressed ?? file.identity)
}
