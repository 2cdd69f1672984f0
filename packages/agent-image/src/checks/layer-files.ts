import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { PassThrough, Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { LayerCache } from '../image/layer-cache.ts'
import type { Layer } from '../image/oci.ts'
import { readElf, type ElfFacts } from './elf.ts'

/** A file, folder or link of a layer, and what starting it needs. */
export interface LayerFile {
  /** Without a slash at its start. */
  readonly path: string
  readonly type: 'file' | 'directory' | 'symlink' | 'link'
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  /** Where a link leads. */
  readonly target?: string
  /** The first line of a script, without `#!`. */
  readonly script?: string
  readonly elf?: ElfFacts
  /** The content of files that say where libraries and modules are. */
  readonly text?: string
}

/** Increase it if the facts about a file change, so that noted ones are not reused. */
const RECIPE = 2
/** What larger libraries need is not read. */
const MOST_BYTES = 256 << 20
const FIRST_BYTES = 512
const LONGEST_TEXT = 64 << 10
const TYPES = ['file', 'directory', 'symlink', 'link'] as const
/** Settings of the loader, and where Python looks for modules. */
const WITH_TEXT =
  /^etc\/ld\.so\.conf(\.d\/[^/]+\.conf)?$|\/site-packages\/(_?_editable_[^/]*\.py|[^/]+\.pth)$/

/** Returns what a layer has. Each layer is read once, and what it has is noted in the cache. */
export async function layerFiles(layer: Layer, cache: LayerCache): Promise<readonly LayerFile[]> {
  const question = { kind: 'files', recipe: RECIPE, diffId: layer.diffId }
  const known = await cache.recall<LayerFile[]>(question)
  if (known !== undefined) return known
  const files: LayerFile[] = []
  await readLayer(layer, async (header, content) => {
    const { path, type, mode, uid, gid, size, target } = header
    const bytes = type === 'file' ? await bytesOf(content, header) : undefined
    files.push({
      path,
      type,
      mode,
      uid,
      gid,
      size,
      ...(target !== undefined && { target }),
      ...(bytes && factsOf(path, bytes)),
    })
  })
  await cache.note(question, files)
  return files
}

/** A file of a layer without what its content says. */
export type LayerHeader = Omit<LayerFile, 'script' | 'elf' | 'text'>

/** Reads a layer file by file. What `visit` leaves of a content is skipped. */
export async function readLayer(
  { source, mediaType }: Layer,
  visit: (header: LayerHeader, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const packed = 'file' in source ? createReadStream(source.file) : Readable.from([source.bytes])
  const { extract } = await import('tar-stream')
  const archive = extract()
  const reading = pipeline(packed, decompression(mediaType), archive)
  try {
    for await (const member of archive) {
      const { name, type, mode, uid, gid, size, linkname } = member.header
      const kind = TYPES.find((each) => each === type)
      const path = name.replace(/^(\.?\/)+/, '').replace(/\/+$/, '')
      if (kind !== undefined && path !== '' && path !== '.') {
        const target = linkname && { target: linkname }
        await visit(
          { path, type: kind, mode: mode & 0o7777, uid, gid, size, ...target },
          member as AsyncIterable<Buffer>,
        )
      }
      member.resume()
    }
  } finally {
    await reading
  }
}

function decompression(mediaType: string): Transform {
  if (mediaType.endsWith('+zstd')) return zlib.createZstdDecompress()
  return mediaType.endsWith('gzip') ? zlib.createGunzip() : new PassThrough()
}

async function bytesOf(
  content: AsyncIterable<Buffer>,
  { path, size }: LayerHeader,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const isWanted =
      length < FIRST_BYTES ||
      (size <= MOST_BYTES && chunks[0]?.subarray(1, 4).toString('latin1') === 'ELF') ||
      (size <= LONGEST_TEXT && WITH_TEXT.test(path))
    if (isWanted) chunks.push(chunk)
    length += chunk.length
  }
  return Buffer.concat(chunks)
}

function factsOf(path: string, bytes: Buffer): Pick<LayerFile, 'script' | 'elf' | 'text'> {
  const script = /^#!\s*(.*)/.exec(bytes.subarray(0, FIRST_BYTES).toString('utf8'))?.[1]?.trim()
  const elf = readElf(bytes)
  return {
    ...(script && { script }),
    ...(elf && { elf }),
    ...(WITH_TEXT.test(path) && { text: bytes.toString('utf8') }),
  }
}
