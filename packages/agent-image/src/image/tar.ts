import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Header, Pack } from 'tar-stream'
import { requirePathOfArchive } from '../inside.ts'
import { orderEntries, type Entry } from './entries.ts'
import { openHostFile, READ_WHOLE_BYTES } from './host-file.ts'

const TYPES = {
  file: 'file',
  directory: 'directory',
  symlink: 'symlink',
  hardlink: 'link',
} as const
const EPOCH = new Date(0)

function headerOf(entry: Entry): Partial<Header> & { name: string } {
  const directory = entry.type === 'directory'
  const header: ReturnType<typeof headerOf> = {
    name: directory ? `${entry.path}/` : entry.path,
    type: TYPES[entry.type],
    mode: entry.mode,
    uid: entry.uid,
    gid: entry.gid,
    mtime: EPOCH,
    size: 0,
  }
  if (entry.type === 'file') {
    header.size = Buffer.isBuffer(entry.content)
      ? entry.content.byteLength
      : entry.content.sizeBytes
  } else if (entry.type === 'symlink' || entry.type === 'hardlink') {
    header.linkname = entry.target
  }
  return header
}

async function addEntry(archive: Pack, entry: Entry): Promise<void> {
  let content: Buffer = Buffer.alloc(0)
  if (entry.type === 'file') {
    if (Buffer.isBuffer(entry.content)) content = entry.content
    else {
      await using file = await openHostFile(entry.content)
      if (entry.content.sizeBytes > READ_WHOLE_BYTES) {
        const options = { highWaterMark: 1 << 20, autoClose: false }
        await pipeline(file.createReadStream(options), archive.entry(headerOf(entry)))
        return
      }
      content = await file.readFile()
    }
  }
  await new Promise<void>((resolve, reject) => {
    archive.entry(headerOf(entry), content, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Returns a tar of these entries. It is sorted and has no timestamps, so the same entries produce
 * the same bytes.
 */
export function writeTar(entries: readonly Entry[]): Readable {
  return Readable.from(packed(entries), { objectMode: false })
}

async function* packed(entries: readonly Entry[]): AsyncGenerator<Buffer> {
  // Builds without changes neither write nor read archives.
  const { pack } = await import('tar-stream')
  const archive = pack()
  async function fill(): Promise<void> {
    for (const entry of orderEntries(entries)) await addEntry(archive, entry)
    archive.finalize()
  }
  fill().catch((error: unknown) => archive.destroy(error as Error))
  yield* archive as AsyncIterable<Buffer>
}

/**
 * Reads a tar into memory as entries. Skips device nodes; the container runtime creates them. Files
 * lose the bits that let a program run as its owner or group: no image needs them. Throws if a path
 * leaves the folder that the tar has.
 */
export async function readTar(stream: Readable, keep: (path: string) => boolean): Promise<Entry[]> {
  const { extract } = await import('tar-stream')
  const entries: Entry[] = []
  const archive = extract()
  const reading = pipeline(stream, archive)
  for await (const member of archive) {
    const { name, type, mode, uid, gid, linkname } = member.header
    const path = insidePath(name).replace(/\/+$/, '')
    const chunks: Uint8Array[] = []
    for await (const chunk of member as AsyncIterable<Uint8Array>) chunks.push(chunk)
    if (path === '' || path === '.' || !keep(path)) continue
    const base = { path, mode: mode & 0o7777, uid, gid }
    if (type === 'file')
      entries.push({ ...base, mode: mode & 0o777, type: 'file', content: Buffer.concat(chunks) })
    else if (type === 'directory') entries.push({ ...base, type: 'directory' })
    else if (type === 'symlink') entries.push({ ...base, type: 'symlink', target: linkname })
    else if (type === 'link')
      entries.push({ ...base, type: 'hardlink', target: insidePath(linkname) })
  }
  await reading
  for (const entry of entries) {
    requirePathOfArchive(entry.path)
    if (entry.type === 'hardlink') requirePathOfArchive(entry.target)
  }
  return entries
}

/** Tars may name what they have from `.` or from the root. */
function insidePath(name: string): string {
  return name.replace(/^\.?\/+/, '')
}
