import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { cacheHome } from '../user-folders.ts'
import type { Entry } from './entries.ts'
import { hashOf } from './entries-hash.ts'
import { MediaType, type Descriptor, type Layer } from './oci.ts'
import { writeTar } from './tar.ts'

/** Returns the default directory for compressed layers. */
export function defaultCacheDirectory(): string {
  const folder = process.env['SLIPWAY_CACHE_DIR'] || join(cacheHome(process.env), 'slipway')
  return join(folder, 'images')
}

const CHANGED = 'files changed while they were packed; build again when they stay the same'

interface LayerRecord {
  /** Records of older versions have none; their layers have zstd. */
  mediaType?: string
  diffId: string
  digest: string
  size: number
}

/**
 * Stores compressed layers by the digest of their tar, and by what they are made from, so that it
 * need not be packed again. Files are written under a temporary name and renamed, so concurrent
 * builds may repeat work but never see a partial file.
 */
export class LayerCache {
  readonly directory: string

  constructor(directory: string = defaultCacheDirectory()) {
    this.directory = directory
  }

  /** Returns the layer of these entries; packs them if the cache has no layer of their content. */
  async layer(entries: readonly Entry[]): Promise<Layer> {
    const recipe = { kind: 'entries', content: await hashOf(entries) }
    const known = await this.findRecipe(recipe)
    if (known) return known
    const layer = await this.store(writeTar(entries))
    if ((await hashOf(entries)) !== recipe.content) throw new Error(CHANGED)
    await this.remember(keyOf('recipe', recipe), layer)
    return layer
  }

  /**
   * Returns the cached layer of a recipe, or the layer of the entries that `produce` returns. They
   * are read once: a new recipe nearly always has new content.
   */
  async layerOfRecipe(recipe: unknown, produce: () => Promise<readonly Entry[]>): Promise<Layer> {
    const known = await this.findRecipe(recipe)
    if (known) return known
    const layer = await this.store(writeTar(await produce()))
    await this.remember(keyOf('recipe', recipe), layer)
    return layer
  }

  /** Returns the cached layer of a recipe, if there is one. */
  async findRecipe(recipe: unknown): Promise<Layer | undefined> {
    return await this.find(keyOf('recipe', recipe))
  }

  /** Keeps what a build has chosen for a question, for example versions for names of packages. */
  async note(question: unknown, answer: unknown): Promise<void> {
    await this.write(keyOf('note', question), answer)
  }

  /** Returns what `note` has kept for the question. */
  async recall<Answer>(question: unknown): Promise<Answer | undefined> {
    try {
      const file = this.recordFile(keyOf('note', question))
      return JSON.parse(await readFile(file, 'utf8')) as Answer
    } catch {
      return undefined
    }
  }

  /** Returns the layer of a tar with this digest; compresses `tar` if it is not in the cache. */
  async layerOfTar(diffId: string, tar: () => Readable): Promise<Layer> {
    return (await this.find(`tar-${diffId}`)) ?? (await this.store(tar(), diffId))
  }

  /** Returns the file of a blob, if the cache has it. */
  async blob({ digest, size }: Descriptor): Promise<string | undefined> {
    const file = this.blobFile(digest)
    const found = await stat(file).catch(() => undefined)
    return found?.size === size ? file : undefined
  }

  /** Keeps a blob; returns its file. `content` fails if its bytes are not those of the digest. */
  async keep({ digest }: Descriptor, content: Readable): Promise<string> {
    await mkdir(join(this.directory, 'blobs'), { recursive: true })
    const temporary = join(this.directory, 'blobs', `.${randomUUID()}`)
    try {
      await pipeline(content, createWriteStream(temporary))
      const file = this.blobFile(digest)
      await rename(temporary, file)
      return file
    } finally {
      await rm(temporary, { force: true })
    }
  }

  private async find(key: string): Promise<Layer | undefined> {
    try {
      const record = JSON.parse(await readFile(this.recordFile(key), 'utf8')) as LayerRecord
      const file = this.blobFile(record.digest)
      if ((await stat(file)).size !== record.size) return undefined
      return { ...record, mediaType: record.mediaType ?? MediaType.layer, source: { file } }
    } catch {
      // Missing or damaged: the caller rebuilds it.
      return undefined
    }
  }

  /** Compresses a tar. Throws if its digest is not the expected one. A tar has one layer. */
  private async store(tar: Readable, expected?: string): Promise<Layer> {
    await mkdir(join(this.directory, 'blobs'), { recursive: true })
    const temporary = join(this.directory, 'blobs', `.${randomUUID()}`)
    try {
      const compressed = new Meter()
      const { mediaType, stream } = compression()
      const packed = new Meter()
      await pipeline(tar, packed, stream, compressed, createWriteStream(temporary))
      const diffId = packed.digest()
      if (expected !== undefined && diffId !== expected) throw new Error(CHANGED)
      const known = expected === undefined && (await this.find(`tar-${diffId}`))
      if (known) return known
      const { sizeBytes: size } = compressed
      const layer = { mediaType, diffId, digest: compressed.digest(), size }
      const file = this.blobFile(layer.digest)
      await rename(temporary, file)
      await this.remember(`tar-${diffId}`, layer)
      return { ...layer, source: { file } }
    } finally {
      await rm(temporary, { force: true })
    }
  }

  private async remember(key: string, layer: LayerRecord): Promise<void> {
    const { mediaType = MediaType.layer, diffId, digest, size } = layer
    await this.write(key, { mediaType, diffId, digest, size } satisfies LayerRecord)
  }

  private async write(key: string, value: unknown): Promise<void> {
    await mkdir(join(this.directory, 'layers'), { recursive: true })
    const file = this.recordFile(key)
    const temporary = `${file}.${randomUUID()}`
    await writeFile(temporary, JSON.stringify(value))
    await rename(temporary, file)
  }

  private recordFile(key: string): string {
    return join(this.directory, 'layers', `${key.replace(':', '-')}.json`)
  }

  private blobFile(digest: string): string {
    return join(this.directory, 'blobs', digest.replace(':', '-'))
  }
}

/** Node.js has zstd from 22.15 on; older ones write gzip, which every registry and node knows. */
function compression(): { mediaType: string; stream: Transform } {
  if (!Object.hasOwn(zlib, 'createZstdCompress'))
    return { mediaType: MediaType.gzipLayer, stream: zlib.createGzip() }
  const { ZSTD_c_compressionLevel: level, ZSTD_c_checksumFlag: checksum } = zlib.constants
  const stream = zlib.createZstdCompress({ params: { [level]: 3, [checksum]: 1 } })
  return { mediaType: MediaType.layer, stream }
}

function keyOf(kind: 'recipe' | 'note', value: unknown): string {
  return `${kind}-${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`
}

class Meter extends Transform {
  sizeBytes = 0
  readonly #hash = createHash('sha256')

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: null, chunk: Buffer) => void,
  ): void {
    this.#hash.update(chunk)
    this.sizeBytes += chunk.byteLength
    done(null, chunk)
  }

  digest(): string {
    return `sha256:${this.#hash.digest('hex')}`
  }
}
