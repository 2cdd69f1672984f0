import type { FastifyReply } from 'fastify'

/**
 * The result of a handler that sends its reply itself; undefined if the reply has already been
 * sent.
 */
export type Sending = Promise<never> | undefined

/** Sends a reply asynchronously; the result is what a handler returns to Fastify. */
export async function sendLater(reply: FastifyReply, send: () => Promise<void>): Promise<never> {
  await send()
  // Fastify accepts the reply itself as "already sent"; its types want the body.
  return reply as never
}
