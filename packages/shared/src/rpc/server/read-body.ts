import type { IncomingMessage } from 'node:http'

import { Code, ConnectError } from '@connectrpc/connect'

import type { FairShare } from '../../fairness/fair-queue.ts'
import { toConnectError } from '../policies/error-mapping.ts'
import { requestTooLarge } from './request-message.ts'

/**
 * Reads the whole body of a request, and takes its memory as it arrives. Rejects if it is larger
 * than `maxBytes` or incomplete, or if there is no memory for it.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  share: FairShare,
): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (isOver) return
      try {
        if (size > maxBytes) throw requestTooLarge(maxBytes)
        share.grow(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        isOver = true
        reject(toConnectError(error))
      }
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
