import { createHash } from 'node:crypto'

/** Media types of the OCI image specification that are used here. */
export const MediaType = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+zstd',
} as const

/** What a manifest says about a blob. */
export interface Descriptor {
  mediaType: string
  digest: string
  size: number
}

/** A blob with where its bytes are. */
export interface Blob extends Descriptor {
  source: { file: string } | { bytes: Buffer }
}

/** A compressed layer; `diffId` is the digest of its tar. */
export interface Layer extends Blob {
  diffId: string
}

/** What a container of the image starts with. */
export interface ImageConfig {
  entrypoint: string[]
  command?: string[]
  environment?: Record<string, string>
  /** A number or `uid:gid`, so that Kubernetes can tell it isn't root. */
  user: string
  workingDirectory?: string
  ports?: number[]
  labels?: Record<string, string>
}

/** The platform of an image, in OCI's words. */
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

/** `sha256:<hex>` of these bytes. */
export function digestOf(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The platform of the machine that builds: binaries are taken from it. */
export function hostPlatform(): Platform {
  if (process.platform !== 'linux') throw new Error('images can only be built on Linux')
  if (process.arch === 'x64') return { os: 'linux', architecture: 'amd64' }
  if (process.arch === 'arm64') return { os: 'linux', architecture: 'arm64' }
  throw new Error(`no images for ${process.arch}: only x64 and arm64`)
}

function jsonBlob(mediaType: string, value: unknown): Blob {
  const bytes = Buffer.from(JSON.stringify(value))
  return { mediaType, digest: digestOf(bytes), size: bytes.byteLength, source: { bytes } }
}

/** Keeps what the specification knows of a blob. */
export function descriptorOf({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size }
}

/**
 * Puts layers and configuration together. Its config digest depends on content only, not on how
 * layers are compressed.
 */
export function assembleImage(
  layers: Layer[],
  config: ImageConfig,
  platform: Platform = hostPlatform(),
): Image {
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', ...config.environment }
  const configBlob = jsonBlob(MediaType.config, {
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
      ...(config.labels && { Labels: config.labels }),
    },
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => layer.diffId) },
  })
  const manifest = jsonBlob(MediaType.manifest, {
    schemaVersion: 2,
    mediaType: MediaType.manifest,
    config: descriptorOf(configBlob),
    layers: layers.map(descriptorOf),
  })
  return { platform, config: configBlob, layers, manifest }
}
