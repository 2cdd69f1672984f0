import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection whose client reads only the beginning of the first response. */
export interface UnreadConnection extends Disposable {
  /** The beginning of the first response; empty if the server closed the connection. */
  readonly start: string
}

/** Options of an unread connection. */
export interface UnreadOptions {
  readonly token?: string
  /** The number of requests, sent at once; 1 by default. */
  readonly requests?: number
  /** The client's address; 127.0.0.1 by default. */
  readonly from?: string
}

/** Sends requests for a path below `/api/v1`, and stops reading after the first bytes. */
export async function sendUnread(
  origin: string,
  path: string,
  { token, requests = 1, from = '127.0.0.1' }: UnreadOptions = {},
): Promise<UnreadConnection> {
  const socket = connectFrom(from, origin)
  socket.write(requestFor(path, token).repeat(requests))
  const [bytes] = (await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => []),
  ])) as [Buffer?]
  socket.pause()
  return {
    start: bytes?.toString('latin1') ?? '',
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Sends a request for a path below `/api/v1`. The result leaves without reading the response. */
export function sendAndLeave(origin: string, path: string, token: string): () => Promise<void> {
  const socket = connectFrom('127.0.0.1', origin)
  socket.write(requestFor(path, token))
  return async () => {
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
  }
}

function connectFrom(localAddress: string, origin: string): Socket {
  const { hostname: host, port } = new URL(origin)
  const socket = connect({ host, port: Number(port), localAddress })
  socket.on('error', () => {})
  return socket
}

function requestFor(path: string, token: string | undefined): string {
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  return `GET /api/v1${path} HTTP/1.1\r\nhost: x\r\n${authorization}\r\n`
}
