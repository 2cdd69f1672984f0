import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { digestOf, type Descriptor, type Platform } from '../image/oci.ts'
import { RegistryError } from './registry-error.ts'
import type { RepositoryClient } from './registry-client.ts'

const INDEXES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]
const MANIFESTS = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
const LONGEST_DOCUMENT = 4 << 20

/** A manifest of an image for one platform. */
export interface PulledManifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

interface ManifestDocument extends Partial<PulledManifest> {
  readonly mediaType?: string
  readonly manifests?: readonly (Descriptor & {
    readonly platform?: { readonly os: string; readonly architecture: string }
  })[]
}

/** Returns the digest that a tag has now. Registries don't count this as a pull. */
export async function resolveTag(client: RepositoryClient, tag: string): Promise<string> {
  const response = await client.request({
    action: `read of ${client.repository}:${tag}`,
    method: 'HEAD',
    path: `manifests/${tag}`,
    headers: { accept: [...INDEXES, ...MANIFESTS].join(', ') },
    expected: [200],
  })
  const digest = response.headers.get('docker-content-digest')
  if (digest !== null) return digest
  return digestOf(await document(client, `manifests/${tag}`))
}

/** Returns the manifest with a digest; of an index, the one for the platform. */
export async function pullManifest(
  client: RepositoryClient,
  digest: string,
  platform: Platform,
): Promise<PulledManifest> {
  const bytes = await verified(client, `manifests/${digest}`, digest)
  const found = JSON.parse(bytes.toString()) as ManifestDocument
  if (found.manifests) {
    const chosen = found.manifests.find(
      (each) =>
        each.platform?.os === platform.os && each.platform.architecture === platform.architecture,
    )
    if (chosen) return await pullManifest(client, chosen.digest, platform)
    throw failure(
      client,
      `${client.repository} has no image for ${platform.os}/${platform.architecture}`,
      'name another base image or platform',
    )
  }
  if (!found.config || !found.layers)
    throw failure(client, `${client.repository}@${digest} is not the manifest of an image`)
  return { config: found.config, layers: found.layers }
}

/** Returns a small blob, such as the configuration of an image. */
export async function pullBlob(client: RepositoryClient, blob: Descriptor): Promise<Buffer> {
  return await verified(client, `blobs/${blob.digest}`, blob.digest)
}

/** Returns the bytes of a blob as a stream, which fails at its end if they are not the blob's. */
export async function streamBlob(client: RepositoryClient, blob: Descriptor): Promise<Readable> {
  const response = await client.request({
    action: `read of ${client.repository} (${blob.digest.slice(0, 19)})`,
    method: 'GET',
    path: `blobs/${blob.digest}`,
    expected: [200],
    keepsBody: true,
    // A large blob takes longer than other answers; undici ends a connection that stalls.
    signal: client.signal ?? new AbortController().signal,
  })
  const { body } = response
  if (body === null) throw failure(client, `${blob.digest} of ${client.repository} is empty`)
  return Readable.from(
    (async function* verify() {
      const hash = createHash('sha256')
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        hash.update(chunk)
        yield chunk
      }
      const digest = `sha256:${hash.digest('hex')}`
      if (digest !== blob.digest) throw damaged(client, blob.digest)
    })(),
    { objectMode: false },
  )
}

async function verified(client: RepositoryClient, path: string, digest: string): Promise<Buffer> {
  const bytes = await document(client, path)
  if (digestOf(bytes) === digest) return bytes
  throw damaged(client, digest)
}

async function document(client: RepositoryClient, path: string): Promise<Buffer> {
  return await bodyOf(client, path, await get(client, path, [200]))
}

/** Returns a manifest, or another small document of a repository; undefined if it has none. */
export async function findDocument(
  client: RepositoryClient,
  path: string,
): Promise<Buffer | undefined> {
  const response = await get(client, path, [200, 404])
  if (response.status === 200) return await bodyOf(client, path, response)
  await response.body?.cancel()
  return undefined
}

async function get(
  client: RepositoryClient,
  path: string,
  expected: readonly number[],
): Promise<Response> {
  return await client.request({
    action: `read of ${client.repository}`,
    method: 'GET',
    path,
    headers: { accept: [...INDEXES, ...MANIFESTS, '*/*'].join(', ') },
    expected,
    keepsBody: true,
  })
}

async function bodyOf(client: RepositoryClient, path: string, response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > LONGEST_DOCUMENT)
      throw failure(
        client,
        `${path} of ${client.repository} is larger than ${LONGEST_DOCUMENT} bytes`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function damaged(client: RepositoryClient, digest: string): RegistryError {
  return failure(client, `the registry returned other bytes than those of ${digest}`)
}

function failure(client: RepositoryClient, message: string, remedy?: string): RegistryError {
  const registry = new URL(client.origin).host
  return new RegistryError(message, { problem: 'rejected', registry, remedy })
}
