import { createHash } from 'node:crypto'

/** The OCI media types that are used here. */
export const MediaType = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+zstd',
  gzipLayer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

/** A manifest's reference to a blob. */
export interface Descriptor {
  mediaType: string
  digest: string
  size: number
}

/** A blob and the location of its bytes. */
export interface Blob extends Descriptor {
  source: { file: string } | { bytes: Buffer }
}

/** A compressed layer; `diffId` is the digest of its tar. */
export interface Layer extends Blob {
  diffId: string
}

/** The start command, environment and user of an image. */
export interface ImageConfig {
  entrypoint: string[]
  command?: string[]
  environment?: Record<string, string>
  /** A numeric id or `uid:gid`, so that Kubernetes can verify that it isn't root. */
  user: string
  workingDirectory?: string
  /** The signal that stops it; default: SIGTERM. */
  stopSignal?: string
  ports?: number[]
  labels?: Record<string, string>
}

/** The platform of an image, as defined by OCI. */
export interface Platform {
  os: 'linux'
  architecture: 'amd64' | 'arm64'
}

/** A complete image for one platform. */
export interface Image {
  platform: Platform
  config: Blob
  layers: Layer[]
  manifest: Blob
}

/** An image for several platforms: an index of their images. */
export interface ImageIndex {
  readonly images: readonly Image[]
  readonly manifest: Blob
}

/** Where programs are found in images that don't say it. */
export const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Returns `sha256:<hex>` of these bytes. */
export function digestOf(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Returns the platform of this machine, which provides the images' binaries. */
export function hostPlatform(): Platform {
  if (process.platform !== 'linux') throw new Error('images can only be built on Linux')
  if (process.arch === 'x64') return { os: 'linux', architecture: 'amd64' }
  if (process.arch === 'arm64') return { os: 'linux', architecture: 'arm64' }
  throw new Error(`images can only be built on x64 and arm64, not ${process.arch}`)
}

/** Returns a blob that is in memory, such as a manifest. */
export function jsonBlob(mediaType: string, value: unknown): Blob {
  return bytesBlob(mediaType, Buffer.from(JSON.stringify(value)))
}

/** Returns a blob of these bytes. */
export function bytesBlob(mediaType: string, bytes: Buffer): Blob {
  return { mediaType, digest: digestOf(bytes), size: bytes.byteLength, source: { bytes } }
}

/** Returns the descriptor's fields only. */
export function descriptorOf({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size }
}

/**
 * Assembles an image from layers and a configuration. The digest of the configuration depends on
 * the content only, not on the compression of layers.
 */
export function assembleImage(
  layers: Layer[],
  config: ImageConfig,
  platform: Platform = hostPlatform(),
): Image {
  const environment = { PATH: DEFAULT_PATH, ...config.environment }
  const document = {
    architecture: platform.architecture,
    os: platform.os,
    config: {
      User: config.user,
      ...(config.ports && {
        ExposedPorts: Object.fromEntries(config.ports.map((port) => [`${port}/tcp`, {}])),
      }),
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: config.entrypoint,
      ...(config.command && { Cmd: config.command }),
      WorkingDir: config.workingDirectory ?? '/',
      ...(config.stopSignal && { StopSignal: config.stopSignal }),
      ...(config.labels && { Labels: config.labels }),
    },
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => layer.diffId) },
    // Optional, but buildah can't use an image without it as a base.
    history: layers.map(() => ({ created_by: 'slipway' })),
  }
  return imageOf(platform, Buffer.from(JSON.stringify(document)), layers)
}

/** Returns one image for the platforms of these. */
export function imageIndex(images: readonly Image[]): ImageIndex {
  const manifests = images.map(({ manifest, platform }) => ({
    ...descriptorOf(manifest),
    platform,
  }))
  const document = { schemaVersion: 2, mediaType: MediaType.index, manifests }
  return { images, manifest: jsonBlob(MediaType.index, document) }
}

/** Returns the images of each platform. */
export function imagesOf(image: Image | ImageIndex): readonly Image[] {
  return 'images' in image ? image.images : [image]
}

/** Returns the image with this configuration, whose layers are those of its `diff_ids`. */
export function imageOf(platform: Platform, config: Buffer, layers: Layer[]): Image {
  const configBlob = bytesBlob(MediaType.config, config)
  const manifest = jsonBlob(MediaType.manifest, {
    schemaVersion: 2,
    mediaType: MediaType.manifest,
    config: descriptorOf(configBlob),
    layers: layers.map(descriptorOf),
  })
  return { platform, config: configBlob, layers, manifest }
}
