import type { FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding } from '../http/responses/accept-encoding.ts'
import { matchesEtag } from '../http/responses/entity-tag.ts'
import { sendLater, type Sending } from '../http/responses/send-later.ts'
import type { PublicAnswer, Representation } from './answer.ts'

/** Sends a public answer in the client's preferred encoding, or a 304 if the client has it. */
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
  return sendLater(reply, async () => {
    send(request, reply, await answer.in(encoding))
  })
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
