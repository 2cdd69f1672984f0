import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Entry } from './entries.ts'
import { READ_WHOLE_BYTES, type HostFile } from './host-file.ts'

/** A hash of entries with their content. Their order doesn't matter. */
export async function hashOf(entries: readonly Entry[]): Promise<string> {
  const hash = createHash('sha256')
  for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, type, mode, uid, gid } = entry
    const owner = uid === 0 && gid === 0 ? [] : [uid, gid]
    const target = 'target' in entry ? [entry.target] : []
    hash.update(JSON.stringify([path, type, mode, ...owner, ...target]))
    if (entry.type !== 'file') continue
    const { content } = entry
    const size = Buffer.isBuffer(content) ? content.byteLength : content.sizeBytes
    hash.update(`${size}\n`)
    if (Buffer.isBuffer(content)) hash.update(content)
    else for await (const chunk of chunksOf(content)) hash.update(chunk)
  }
  return hash.digest('hex')
}

async function* chunksOf({ file, sizeBytes }: HostFile): AsyncGenerator<Buffer> {
  if (sizeBytes <= READ_WHOLE_BYTES) yield await readFile(file)
  else yield* createReadStream(file, { highWaterMark: READ_WHOLE_BYTES })
}
