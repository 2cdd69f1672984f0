import type { IncomingMessage } from 'node:http'

import { Code, ConnectError } from '@connectrpc/connect'

import { requestTooLarge } from './request-message.ts'

/** Reads the whole body of a request. Rejects if it is larger than `maxBytes` or incomplete. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else reject(requestTooLarge(maxBytes))
    })
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    )
    const rejectIncomplete = () =>
      reject(new ConnectError('the caller disconnected', Code.Canceled))
    request.on('error', rejectIncomplete)
    // The caller may have disconnected while its token was verified.
    if (request.destroyed) rejectIncomplete()
    else request.on('close', () => request.complete || rejectIncomplete())
  })
}
