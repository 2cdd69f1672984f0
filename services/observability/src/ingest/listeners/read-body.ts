import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { BadRequest } from '../decode/http-error.ts'
import type { Reservation } from '../pipeline/ingest-memory.ts'

/** The size of decompressed chunks. Larger than the default, to get fewer chunks. */
const CHUNK_BYTES = 64 * 1024

/**
 * Reads a whole body. Reserves memory as bytes arrive, not based on the announced length. Throws
 * BadRequest for a body of more than `maxBytes`.
 */
export async function readBody(
  body: Readable,
  maxBytes: number,
  reservation: Reservation,
): Promise<Buffer> {
  // Destroying the body would close the connection before the response is sent.
  return await collect(body.iterator({ destroyOnReturn: false }), maxBytes, reservation, 'the body')
}

/** Reads a body of at most `maxBytes`, and keeps nothing of it. Throws BadRequest for more. */
export async function discardBody(body: Readable, maxBytes: number): Promise<void> {
  let length = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge('the body', maxBytes)
  }
}

/**
 * Decompresses a body. Reserves memory as it is decompressed. Throws BadRequest for an encoding
 * other than gzip, for invalid gzip, and for more than `maxBytes`.
 */
export async function decompress(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  reservation: Reservation,
): Promise<Buffer> {
  // Encoding names are case-insensitive, and gzip has two names (RFC 9110, 8.4.1).
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity') return body
  if (name !== 'gzip' && name !== 'x-gzip')
    throw new BadRequest('the content encoding must be gzip or identity', { status: 415 })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  gunzip.end(body)
  try {
    return await collect(gunzip, maxBytes, reservation, 'the decompressed body')
  } catch (cause) {
    const isBroken =
      cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')
    throw isBroken ? new BadRequest('the body is not valid gzip', { cause }) : cause
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
    if (length > maxBytes) throw tooLarge(what, maxBytes)
    reservation.grow(chunk.length)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)
}

function tooLarge(what: string, maxBytes: number): BadRequest {
  return new BadRequest(`${what} is larger than ${maxBytes} bytes`, { status: 413 })
}
