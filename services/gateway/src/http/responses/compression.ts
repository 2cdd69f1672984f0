import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Encoding } from './accept-encoding.ts'

/** Responses below this size aren't worth compressing. */
export const MIN_COMPRESSED_BYTES = 1024

/** Higher qualities cost many times the CPU and save a few per cent. */
const BROTLI_QUALITY = 4

/** Compresses a body outside the main thread. */
export function compress(
  encoding: Encoding,
  body: Buffer,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (encoding === 'gzip') return gzip(body, done)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  brotliCompress(body, { params }, done)
}
