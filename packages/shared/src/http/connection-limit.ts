import type { Server, Socket } from 'node:net'

/**
 * Closes connections beyond `limit` from one client, so that none can use up all connections.
 * `clientOf` returns who an address counts for; undefined means no limit.
 */
export function limitConnections(
  server: Server,
  limit: number,
  clientOf: (address: string) => string | undefined,
): void {
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress ?? '')
    if (client === undefined) return
    const count = counts.get(client) ?? 0
    if (count >= limit) {
      socket.destroy()
      return
    }
    counts.set(client, count + 1)
    socket.once('close', () => {
      const left = (counts.get(client) ?? 1) - 1
      if (left > 0) counts.set(client, left)
      else counts.delete(client)
    })
  })
}
