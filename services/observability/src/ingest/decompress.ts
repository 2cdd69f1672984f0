import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { BadRequest } from './http-error.ts'

const gunzipAsync = promisify(gunzip)

/** The body as it was before it was compressed; at most `maxBytes` of it. */
export async function decompress(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return body
  if (encoding !== 'gzip') throw new BadRequest('the content encoding is not gzip', undefined, 415)
  try {
    return await gunzipAsync(body, { maxOutputLength: maxBytes })
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError
    throw isTooLarge
      ? new BadRequest(`the decompressed body is larger than ${maxBytes} bytes`, cause, 413)
      : new BadRequest('the body is not gzipped', cause)
  }
}
