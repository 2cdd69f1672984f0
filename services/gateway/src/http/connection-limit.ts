import type { Server } from 'node:http'

import type { TrustTest } from './client-address.ts'
import { networkOf } from './client-network.ts'

/**
 * Closes connections beyond `limit` from one address, so that no client can use up all connections.
 * Trusted proxies carry many clients' connections and aren't limited.
 */
export function limitConnections(server: Server, limit: number, isTrusted: TrustTest): void {
  const counts = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    if (isTrusted(remoteAddress, 0)) return
    const network = networkOf(remoteAddress)
    const count = counts.get(network) ?? 0
    if (count >= limit) {
      socket.destroy()
      return
    }
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })
}
