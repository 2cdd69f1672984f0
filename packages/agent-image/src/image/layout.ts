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

function jsonFile(path: string, value: unknown): LayoutFile {
  const bytes = Buffer.from(JSON.stringify(value))
  return { path, source: { bytes }, size: bytes.byteLength }
}

function blobFile({ digest, size, source }: Blob): LayoutFile {
  return { path: `blobs/${digest.replace(':', '/')}`, source, size }
}
