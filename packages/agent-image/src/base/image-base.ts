import type { LayerCache } from '../image/layer-cache.ts'
import { type Descriptor, type Layer, type Platform } from '../image/oci.ts'
import { formatSize } from '../progress.ts'
import { pullBlob, pullManifest, streamBlob } from '../registry/pull.ts'
import type { RepositoryClient } from '../registry/registry-client.ts'
import { findImage } from '../registry/resolve-image.ts'
import { withRetries } from '../registry/retries.ts'
import type { Base, BaseOptions, Language } from './base-options.ts'

/** Layers of Docker's format, under the names that OCI has for the same bytes. */
const LAYER_TYPES: Readonly<Record<string, string>> = {
  'application/vnd.docker.image.rootfs.diff.tar.gzip':
    'application/vnd.oci.image.layer.v1.tar+gzip',
  'application/vnd.docker.image.rootfs.diff.tar': 'application/vnd.oci.image.layer.v1.tar',
}
/** The variables in which the public images have the version of a language. */
const VERSIONS: Readonly<Record<Language, string>> = {
  node: 'NODE_VERSION',
  python: 'PYTHON_VERSION',
}

/** What is remembered of an image: it never changes, since it is named by its digest. */
interface KnownImage {
  readonly layers: readonly (Descriptor & { readonly diffId: string })[]
  readonly environment: Readonly<Record<string, string>>
}

interface ImageDocument {
  readonly config?: { readonly Env?: readonly string[] | null }
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

/** Returns the layers of an image in a registry, from the cache if it has them. */
export async function imageBase(
  name: string,
  language: Language,
  cache: LayerCache,
  options: BaseOptions,
): Promise<Base> {
  const { client, digest } = await findImage(name, options)
  const key = { kind: 'base', digest, platform: options.platform }
  let image = await cache.recall<KnownImage>(key)
  if (image === undefined) {
    image = await readImage(client, digest, options.platform)
    await cache.note(key, image)
  }
  const layers: Layer[] = []
  for (const { diffId, ...blob } of image.layers)
    layers.push({ ...blob, diffId, source: { file: await download(client, blob, cache, options) } })
  const { environment } = image
  const version = environment[VERSIONS[language]]
  return { layers, environment, version, name: `${name.replace(/@.*/, '')}@${digest}` }
}

async function readImage(
  client: RepositoryClient,
  digest: string,
  platform: Platform,
): Promise<KnownImage> {
  const manifest = await pullManifest(client, digest, platform)
  const bytes = await pullBlob(client, manifest.config)
  const { config, rootfs } = JSON.parse(bytes.toString()) as ImageDocument
  const variables = (config?.Env ?? []).map((each): [string, string] => {
    const end = each.indexOf('=')
    return [each.slice(0, end), each.slice(end + 1)]
  })
  return {
    layers: manifest.layers.map((layer, index) => ({
      digest: layer.digest,
      size: layer.size,
      mediaType: LAYER_TYPES[layer.mediaType] ?? layer.mediaType,
      diffId: rootfs.diff_ids[index] ?? '',
    })),
    environment: Object.fromEntries(variables),
  }
}

async function download(
  client: RepositoryClient,
  blob: Descriptor,
  cache: LayerCache,
  { progress, signal }: BaseOptions,
): Promise<string> {
  const known = await cache.blob(blob)
  if (known !== undefined) return known
  progress(`downloading a layer of ${client.repository} (${formatSize(blob.size)})`)
  return await withRetries(
    async () => await cache.keep(blob, await streamBlob(client, blob)),
    signal,
  )
}
