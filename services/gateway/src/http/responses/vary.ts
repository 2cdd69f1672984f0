import type { FastifyReply } from 'fastify'

/** Adds a name to the `Vary` header. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = reply.getHeader('vary')
  reply.header('vary', names === undefined ? name : `${String(names)}, ${name}`)
}
