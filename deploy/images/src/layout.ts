import { copyFile, link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { descriptorOf, MediaType, type Blob, type Image } from './oci.ts'

/** A file of an OCI layout: bytes, or a blob that is already a file of this machine. */
export interface LayoutFile {
  readonly path: string
  readonly source: Blob['source']
  readonly size: number
}

/** Returns the files of the OCI layout of an image; `annotations` describe it in the index. */
export function layoutFiles(
  image: Image,
  annotations: Readonly<Record<string, string>> = {},
): LayoutFile[] {
  const manifest = {
    ...descriptorOf(image.manifest),
    platform: image.platform,
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }
  const index = { schemaVersion: 2, mediaType: MediaType.index, manifests: [manifest] }
  const blobs = [image.config, ...image.layers, image.manifest]
  return [
    jsonFile('oci-layout', { imageLayoutVersion: '1.0.0' }),
    jsonFile('index.json', index),
    ...new Map(blobs.map((blob) => [blob.digest, blob])).values().map(blobFile),
  ]
}

/**
 * Writes an OCI layout to a new folder. On the cache's file system it takes no space: the layers
 * are hard links, since crane refuses symbolic ones.
 */
export async function writeImageLayout(folder: string, image: Image): Promise<void> {
  for (const { path, source } of layoutFiles(image)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    if ('bytes' in source) await writeFile(file, source.bytes)
    else await link(source.file, file).catch(() => copyFile(source.file, file))
  }
}

function jsonFile(path: string, value: unknown): LayoutFile {
  const bytes = Buffer.from(JSON.stringify(value))
  return { path, source: { bytes }, size: bytes.byteLength }
}

function blobFile({ digest, size, source }: Blob): LayoutFile {
  return { path: `blobs/${digest.replace(':', '/')}`, source, size }
}
