import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_INTERVAL_MS = 1_000

interface Progress {
  readonly sentBytes: number
  /** Since when no more bytes were sent. */
  readonly since: number
}

/**
 * Closes connections whose client reads nothing for `stallMs` while bytes wait to be sent: they
 * hold memory. A reset also frees the kernel's buffer.
 */
export function closeStalledSockets(server: Server, stallMs: number): void {
  const sockets = new Set<Socket>()
  const waiting = new WeakMap<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const check = (): void => {
    const now = performance.now()
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        waiting.delete(socket)
        continue
      }
      const sentBytes = socket.bytesWritten - socket.writableLength
      const known = waiting.get(socket)
      if (known?.sentBytes !== sentBytes) waiting.set(socket, { sentBytes, since: now })
      else if (now - known.since >= stallMs) socket.resetAndDestroy()
    }
  }
  const timer = setInterval(check, Math.min(CHECK_INTERVAL_MS, stallMs)).unref()
  server.once('close', () => clearInterval(timer))
}
