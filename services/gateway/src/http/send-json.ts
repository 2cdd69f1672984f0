import type { FastifyReply } from 'fastify'

import { later } from '../public-answers/send.ts'

const asIs = (text: string): string => text

/**
 * Sends JSON text as it is when it is there; `vary` names a request header that the answer depends
 * on.
 */
export function sendJson(reply: FastifyReply, json: Promise<string>, vary: string): Promise<never> {
  return later(reply, async () => {
    const text = await json
    reply.header('vary', vary).type('application/json; charset=utf-8').serializer(asIs).send(text)
  })
}
