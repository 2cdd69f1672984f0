import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How long a client from outside may use a connection. A new replica gets its share of the requests
 * when its clients open others.
 */
export const MAX_CONNECTION_AGE_MS = 20_000

/**
 * Asks clients to use another connection when one has reached its age: half of `maxAgeMs` to all of
 * it, so that connections that began together don't end together. No request is lost, because the
 * connection is closed after a response.
 */
export function limitConnectionAge(server: Server, maxAgeMs: number = MAX_CONNECTION_AGE_MS): void {
  const ends = new WeakMap<Socket, number>()
  server.on('connection', (socket: Socket) => {
    ends.set(socket, performance.now() + maxAgeMs * (1 - Math.random() / 2))
  })
  server.prependListener('request', (request, response) => {
    const end = ends.get(request.socket) ?? Infinity
    if (performance.now() >= end) response.shouldKeepAlive = false
  })
}
