import type { FastifyReply } from 'fastify'

import { sendLater } from './send-later.ts'

const asIs = (text: string): string => text

/**
 * Sends JSON text without parsing or serializing it, once it has arrived. `vary` names the request
 * header that the answer depends on.
 */
export function sendJson(reply: FastifyReply, json: Promise<string>, vary: string): Promise<never> {
  return sendLater(reply, async () => {
    const text = await json
    reply.header('vary', vary).type('application/json; charset=utf-8').serializer(asIs).send(text)
  })
}
