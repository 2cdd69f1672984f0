import { imagesOf, type Blob, type Image, type ImageIndex } from '../image/oci.ts'
import { formatSize, type Progress } from '../progress.ts'
import { pushBlob } from './push-blob.ts'
import { RepositoryClient, type RegistryAccess } from './registry-client.ts'
import { parseRegistry } from './registry-location.ts'

/** Blobs that are sent at once. */
const CONCURRENCY = 4

/** The result of a push. */
export interface PushResult {
  digest: string
  /** False if the registry already had the image under this tag. */
  pushed: boolean
}

/** How far the push of an image is. */
export interface UploadState {
  /** The image's name with its tag. */
  readonly reference: string
  /** Bytes that the registry has, and all bytes of the image. */
  readonly doneBytes: number
  readonly totalBytes: number
}

/** Options of a push. */
export interface PushOptions extends RegistryAccess {
  readonly progress?: Progress | undefined
  /** Receives how far the push is, but nothing after its end. */
  readonly onUpload?: ((state: UploadState) => void) | undefined
  /** By digest, repositories of the registry that have the blob. A push adds its own blobs. */
  readonly mounts?: Map<string, string> | undefined
}

/**
 * Pushes an image to a registry (`host:port`, or with a path), with the logins of docker or podman.
 * Sends only blobs that the registry lacks. Throws RegistryError.
 */
export async function pushImage(
  registry: string,
  repository: string,
  tag: string,
  image: Image | ImageIndex,
  options: PushOptions = {},
): Promise<PushResult> {
  const { origin, path, prefix } = parseRegistry(registry, options.insecure)
  const failed = new AbortController()
  const signals = options.signal ? [options.signal, failed.signal] : [failed.signal]
  const client = new RepositoryClient(origin, `${path}${repository}`, 'pull,push', {
    ...options,
    signal: AbortSignal.any(signals),
  })
  const { digest, mediaType } = image.manifest
  const action = `push of ${repository}:${tag}`
  const known = await client.request({
    action,
    method: 'HEAD',
    path: `manifests/${tag}`,
    headers: { accept: mediaType },
    expected: [200, 404],
  })
  if (known.status === 200 && known.headers.get('docker-content-digest') === digest)
    return { digest, pushed: false }

  const reference = `${prefix}${repository}:${tag}`
  const sentBytes = await pushBlobs(client, image, reference, failed, options)
  const put = async (name: string, manifest: Blob): Promise<void> => {
    await client.request({
      action,
      method: 'PUT',
      path: `manifests/${name}`,
      headers: { 'content-type': manifest.mediaType },
      body: async () => manifestBytes(manifest),
      expected: [201],
    })
  }
  // Registries refuse an index of what they lack.
  if ('images' in image)
    for (const { manifest } of image.images) await put(manifest.digest, manifest)
  await put(tag, image.manifest)
  options.progress?.(`pushed ${repository}:${tag} (${formatSize(sentBytes)} new)`)
  return { digest, pushed: true }
}

/** Like pushImage; `reference` is the image's full name with a tag. */
export async function pushReference(
  registry: string,
  reference: string,
  image: Image | ImageIndex,
  options?: PushOptions,
): Promise<PushResult> {
  const name = reference.slice(parseRegistry(registry).prefix.length)
  const colon = name.lastIndexOf(':')
  return await pushImage(registry, name.slice(0, colon), name.slice(colon + 1), image, options)
}

/** Pushes the blobs of an image; returns how many bytes were sent. The first error ends all. */
async function pushBlobs(
  client: RepositoryClient,
  image: Image | ImageIndex,
  reference: string,
  failed: AbortController,
  { onUpload, mounts = new Map<string, string>() }: PushOptions,
): Promise<number> {
  const blobs = imagesOf(image).flatMap(({ config, layers }) => [config, ...layers])
  const unique = new Map(blobs.map((blob) => [blob.digest, blob]))
  const waiting = [...unique.values()].toSorted((a, b) => b.size - a.size)
  const totalBytes = waiting.reduce((sum, { size }) => sum + size, 0)
  const done = new Map<string, number>()
  const report = (blob: Blob, bytes: number): void => {
    done.set(blob.digest, bytes)
    onUpload?.({
      reference,
      doneBytes: done.values().reduce((sum, each) => sum + each, 0),
      totalBytes,
    })
  }
  let sentBytes = 0
  const work = async (): Promise<void> => {
    for (let blob = waiting.shift(); blob; blob = waiting.shift()) {
      const current = blob
      const found = mounts.get(current.digest)
      const result = await pushBlob(client, current, {
        mountFrom: found === client.repository ? undefined : found,
        onSent: (bytes) => report(current, bytes),
      })
      if (result === 'sent') sentBytes += current.size
      mounts.set(current.digest, client.repository)
      report(current, current.size)
    }
  }
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    try {
      await work()
    } catch (error) {
      failed.abort(error)
    }
  })
  await Promise.all(workers)
  client.signal?.throwIfAborted()
  return sentBytes
}

async function manifestBytes({ source }: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if ('bytes' in source) return new Uint8Array(source.bytes)
  throw new Error('a manifest is in memory')
}
