import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { directoryEntry, type Entry } from './entries.ts'
import { layoutFiles } from './layout.ts'
import type { Image } from './oci.ts'
import { writeTar } from './tar.ts'

/** Writes an OCI layout as a tar file, which `ctr images import` imports as `reference`. */
export async function writeImageArchive(
  path: string,
  image: Image,
  reference: string,
): Promise<void> {
  const files = layoutFiles(image, {
    'io.containerd.image.name': reference,
    'org.opencontainers.image.ref.name': tagOf(reference),
  })
  const entries = files.map(({ path: name, source, size }): Entry => ({
    type: 'file',
    path: name,
    mode: 0o644,
    uid: 0,
    gid: 0,
    content: 'bytes' in source ? source.bytes : { file: source.file, sizeBytes: size },
  }))
  const temporary = `${path}.${randomUUID()}`
  try {
    await pipeline(
      writeTar([...entries, directoryEntry('blobs/sha256')]),
      createWriteStream(temporary),
    )
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

function tagOf(reference: string): string {
  return /:([\w][\w.-]{0,127})$/.exec(reference)?.[1] ?? 'latest'
}
