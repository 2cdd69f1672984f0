import type { FastifyReply } from 'fastify'

import { sendLater } from './send-later.ts'

const asIs = (text: string): string => text

/**
 * Sends JSON text, once it has arrived, without parsing or serializing it. `vary` is the request
 * header that the response depends on.
 */
export function sendJson(reply: FastifyReply, json: Promise<string>, vary: string): Promise<never> {
  return sendLater(reply, async () => {
    const text = await json
    reply.header('vary', vary).type('application/json; charset=utf-8').serializer(asIs).send(text)
  })
}
