import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import { codeOfStatus, HttpProblem, problemBody } from '../problem.ts'

const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers what isn't HTTP, or doesn't come to its end in time, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client is gone, or has been answered already.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const status = STATUS_OF_ERROR[error.code ?? ''] ?? 400
  const id = randomUUID()
  const text = STATUS_CODES[status] ?? ''
  const problem = new HttpProblem(status, codeOfStatus(status), 'the request can not be read')
  const body = JSON.stringify(problemBody(problem, { url: '', id }))
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/problem+json\r\nx-request-id: ${id}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
