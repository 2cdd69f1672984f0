import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import { HttpProblem, problemBody } from './problem.ts'

/** Answers what isn't HTTP, or doesn't come to its end in time, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client is gone, or has been answered already.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOf(error.code)
  const id = randomUUID()
  const body = JSON.stringify(problemBody(problem, { url: '', id }))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `content-type: application/problem+json\r\nx-request-id: ${id}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** What an error of Node's HTTP parser or server means to the client. */
function problemOf(code: string | undefined): HttpProblem {
  switch (code ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem(408, 'request_timeout', 'the request did not arrive in time')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpProblem(413, 'too_large', 'the extensions of a chunk are too large')
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem(
        431,
        'request_header_fields_too_large',
        'the headers of the request are too large',
      )
    default:
      return new HttpProblem(400, 'invalid_argument', 'the request can not be read')
  }
}
