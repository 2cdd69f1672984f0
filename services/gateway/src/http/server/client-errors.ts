import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { HttpProblem, problemBody } from '../problem.ts'
import { SECURITY_HEADERS } from '../responses/security-headers.ts'

const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/** Responds to a request that isn't HTTP or doesn't arrive in time, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client has disconnected, or already has its response.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  endWithProblem(socket, problemOf(error.code))
}

/** Responds to CONNECT, which asks for a tunnel, and closes the connection. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  endWithProblem(socket, new HttpProblem(405, 'method_not_allowed', 'this server has no tunnels'))
}

/** Sends a problem to a client whose request Fastify never sees, and closes the connection. */
function endWithProblem(socket: Duplex, problem: HttpProblem): void {
  const id = randomUUID()
  const body = JSON.stringify(problemBody(problem, { url: '', id }))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `content-type: application/problem+json\r\nx-request-id: ${id}\r\n${SECURITY_LINES}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** The problem for an error code of Node's HTTP parser or server. */
function problemOf(code: string | undefined): HttpProblem {
  switch (code ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem(408, 'request_timeout', 'the request did not arrive in time')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpProblem(413, 'too_large', 'the chunk extensions of the body are too large')
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem(
        431,
        'request_header_fields_too_large',
        `the request headers must not exceed ${maxHeaderSize / 1024} KiB`,
      )
    default:
      return new HttpProblem(400, 'invalid_argument', 'the request is not valid HTTP/1.1')
  }
}
