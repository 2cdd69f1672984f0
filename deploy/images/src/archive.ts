import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { directoryEntry, fileEntry, type Entry } from './entries.ts'
import { descriptorOf, MediaType, type Image } from './oci.ts'
import { writeTar } from './tar.ts'

/** Writes an OCI layout as a tar file, which `ctr images import` imports as `reference`. */
export async function writeImageArchive(
  path: string,
  image: Image,
  reference: string,
): Promise<void> {
  const manifest = {
    ...descriptorOf(image.manifest),
    platform: image.platform,
    annotations: {
      'io.containerd.image.name': reference,
      'org.opencontainers.image.ref.name': tagOf(reference),
    },
  }
  const blobs = new Map(
    [image.config, ...image.layers, image.manifest].map((blob) => [blob.digest, blob]),
  )
  const entries: Entry[] = [
    fileEntry('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    fileEntry(
      'index.json',
      JSON.stringify({ schemaVersion: 2, mediaType: MediaType.index, manifests: [manifest] }),
    ),
    directoryEntry('blobs/sha256'),
  ]
  for (const { digest, size, source } of blobs.values()) {
    const content = 'bytes' in source ? source.bytes : { file: source.file, sizeBytes: size }
    entries.push({
      type: 'file',
      path: `blobs/${digest.replace(':', '/')}`,
      mode: 0o644,
      uid: 0,
      gid: 0,
      content,
    })
  }
  const temporary = `${path}.${randomUUID()}`
  try {
    await pipeline(writeTar(entries), createWriteStream(temporary))
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

function tagOf(reference: string): string {
  return /:([\w][\w.-]{0,127})$/.exec(reference)?.[1] ?? 'latest'
}
