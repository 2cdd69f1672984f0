import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { BadRequest } from './http-error.ts'
import type { Reservation } from './memory-budget.ts'

/** Unpacked at once; larger pieces are fewer. */
const CHUNK_BYTES = 64 * 1024

/** Reads a body to its end. Memory is reserved for what has come, not for what was announced. */
export async function readBody(
  body: Readable,
  maxBytes: number,
  reservation: Reservation,
): Promise<Buffer> {
  // A destroyed body would take the connection with it, and the answer could not be sent.
  return await collect(body.iterator({ destroyOnReturn: false }), maxBytes, reservation, 'the body')
}

/**
 * The body as it was before it was compressed; at most `maxBytes` of it, reserved while they come.
 */
export async function decompress(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  reservation: Reservation,
): Promise<Buffer> {
  // The names of encodings have no case, and gzip has two (RFC 9110, 8.4.1).
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity') return body
  if (name !== 'gzip' && name !== 'x-gzip')
    throw new BadRequest('the content encoding is not gzip', undefined, 415)
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  gunzip.end(body)
  try {
    return await collect(gunzip, maxBytes, reservation, 'the decompressed body')
  } catch (cause) {
    const isBroken =
      cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')
    throw isBroken ? new BadRequest('the body is not gzipped', cause) : cause
  }
}

async function collect(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  reservation: Reservation,
  what: string,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > maxBytes)
      throw new BadRequest(`${what} is larger than ${maxBytes} bytes`, undefined, 413)
    reservation.grow(chunk.length)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)
}
