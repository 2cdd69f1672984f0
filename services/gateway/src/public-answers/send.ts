import type { FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding } from '../http/compression.ts'
import type { PublicAnswer, Representation } from './answer.ts'

/**
 * What a handler returns that sends its answer itself: nothing when it is sent, else the wait for
 * that.
 */
export type Sending = Promise<never> | undefined

/** Sends a public answer in the encoding that the client prefers; 304 when it has that already. */
export function sendPublicAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PublicAnswer,
): Sending {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  const representation = answer.peek(encoding)
  if (representation !== undefined || encoding === undefined) {
    send(request, reply, representation ?? answer.identity)
    return undefined
  }
  return later(reply, async () => {
    send(request, reply, await answer.in(encoding))
  })
}

/** Sends what isn't there yet. */
export async function later(reply: FastifyReply, sendIt: () => Promise<void>): Promise<never> {
  await sendIt()
  // Fastify takes the reply itself for "sent"; its types want the body.
  return reply as never
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, headers }: Representation,
): void {
  reply.headers(headers)
  if (matchesEtag(request.headers['if-none-match'], etag)) reply.code(304).send()
  else reply.send(body)
}

/** Whether an `If-None-Match` header (RFC 9110, section 13.1.2) names the entity tag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
