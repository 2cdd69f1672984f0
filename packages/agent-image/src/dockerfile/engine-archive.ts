import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { LayerCache } from '../image/layer-cache.ts'
import { imageOf, type Image, type Layer } from '../image/oci.ts'

/** The list of images in what `docker save` writes. */
interface SavedImage {
  readonly Config: string
  readonly Layers: readonly string[]
}

interface SavedConfig {
  readonly architecture: string
  readonly os: string
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

/**
 * Reads the image from an archive that docker, podman or buildah has saved. Its layers are
 * compressed as those of other images, and its configuration stays as it is. `folder` is empty, and
 * can be deleted then.
 */
export async function readEngineArchive(
  archive: string,
  folder: string,
  cache: LayerCache,
  signal?: AbortSignal,
): Promise<Image> {
  const files = await unpack(archive, folder, signal)
  const fileOf = (name: string): string => {
    const found = files.get(posix.normalize(name))
    if (found === undefined) throw new Error(`the image of the container engine lacks ${name}`)
    return found
  }
  const saved = JSON.parse(await readFile(fileOf('manifest.json'), 'utf8')) as SavedImage[]
  const [first] = saved
  if (first === undefined) throw new Error('the container engine saved no image')
  const config = await readFile(fileOf(first.Config))
  const { architecture, os, rootfs } = JSON.parse(config.toString()) as SavedConfig
  if (os !== 'linux' || (architecture !== 'amd64' && architecture !== 'arm64'))
    throw new Error(
      `the image is for ${os}/${architecture}; it must be for linux on amd64 or arm64`,
    )
  const layers: Layer[] = []
  for (const [index, name] of first.Layers.entries()) {
    signal?.throwIfAborted()
    layers.push(await layerOf(fileOf(name), rootfs.diff_ids[index], cache))
  }
  return imageOf({ os, architecture }, config, layers)
}

async function layerOf(
  file: string,
  diffId: string | undefined,
  cache: LayerCache,
): Promise<Layer> {
  const isGzip = await startsWith(file, [0x1f, 0x8b])
  const tar = (): Readable => {
    const content = createReadStream(file)
    if (!isGzip) return content
    const unzip = createGunzip()
    content.once('error', (error) => unzip.destroy(error))
    return content.pipe(unzip)
  }
  const hash = createHash('sha256')
  await pipeline(tar(), hash)
  const found = `sha256:${hash.digest('hex')}`
  if (found !== diffId) throw new Error(`a layer of the container engine is not ${diffId}`)
  return await cache.layerOfTar(found, tar)
}

/** Writes the files of an archive to a folder, under numbers; returns them by name. */
async function unpack(
  archive: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const links = new Map<string, string>()
  const { extract } = await import('tar-stream')
  const tar = extract()
  const reading = pipeline(createReadStream(archive), tar, { signal })
  const members = (async () => {
    for await (const member of tar) {
      const { name, type, linkname } = member.header
      const path = posix.normalize(name)
      if (type === 'symlink' && linkname) links.set(path, posix.join(posix.dirname(path), linkname))
      else if (type === 'link' && linkname) links.set(path, posix.normalize(linkname))
      else if (type === 'file' || type === 'contiguous-file') {
        const file = join(folder, String(files.size))
        await pipeline(member, createWriteStream(file))
        files.set(path, file)
        continue
      }
      member.resume()
    }
  })()
  const [read, done] = await Promise.allSettled([reading, members])
  signal?.throwIfAborted()
  if (done.status === 'rejected') throw done.reason
  if (read.status === 'rejected') throw read.reason
  // Older engines write a layer once, and link to it.
  for (const [path, target] of links) {
    const file = files.get(target)
    if (file !== undefined) files.set(path, file)
  }
  return files
}

async function startsWith(file: string, bytes: readonly number[]): Promise<boolean> {
  if ((await stat(file)).size < bytes.length) return false
  await using handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(bytes.length), 0, bytes.length, 0)
  return buffer.equals(Buffer.from(bytes))
}
