import { createReadStream } from 'node:fs'
import { PassThrough, Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { extract } from 'tar-stream'
import type { Layer } from './oci.ts'

/** Larger files are skipped. */
const MOST_BYTES = 32 << 20

/** Reads those files of a layer whose paths are wanted. Paths have no slash at their start. */
export async function layerContents(
  { source, mediaType }: Layer,
  isWanted: (path: string) => boolean,
): Promise<Map<string, Buffer>> {
  const packed = 'file' in source ? createReadStream(source.file) : Readable.from([source.bytes])
  const archive = extract()
  const reading = pipeline(packed, decompression(mediaType), archive)
  const found = new Map<string, Buffer>()
  const members = (async () => {
    for await (const member of archive) {
      const { name, type, size = 0 } = member.header
      const path = name.replace(/^(\.?\/)+/, '')
      if (type === 'file' && size <= MOST_BYTES && isWanted(path)) {
        const chunks: Uint8Array[] = []
        for await (const chunk of member as AsyncIterable<Uint8Array>) chunks.push(chunk)
        found.set(path, Buffer.concat(chunks))
      } else member.resume()
    }
  })()
  // Both are waited for, so that the error of the file is reported and not that of its reader.
  const [read, listed] = await Promise.allSettled([reading, members])
  if (read.status === 'rejected') throw read.reason
  if (listed.status === 'rejected') throw listed.reason
  return found
}

function decompression(mediaType: string): Transform {
  if (mediaType.endsWith('+zstd')) return zlib.createZstdDecompress()
  return mediaType.endsWith('gzip') ? zlib.createGunzip() : new PassThrough()
}
