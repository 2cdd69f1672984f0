import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { Entry } from './entries.ts'
import { MediaType, type Layer } from './oci.ts'
import { writeTar } from './tar.ts'

/** Returns the default directory for compressed layers. */
export function defaultCacheDirectory(): string {
  const cacheHome = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(process.env['SLIPWAY_CACHE_DIR'] || join(cacheHome, 'slipway'), 'images')
}

interface LayerRecord {
  diffId: string
  digest: string
  size: number
}

/**
 * Stores compressed layers by the digest of their tar, and by recipe if the tar itself is expensive
 * to build. Files are written under a temporary name and renamed, so concurrent builds may repeat
 * work but never see a partial file.
 */
export class LayerCache {
  readonly directory: string

  constructor(directory: string = defaultCacheDirectory()) {
    this.directory = directory
  }

  /** Returns the layer of these entries; compresses it if it is not in the cache. */
  async layer(entries: readonly Entry[]): Promise<Layer> {
    const diffId = await digestStream(writeTar(entries))
    return (await this.find(`tar-${diffId}`)) ?? this.store(writeTar(entries), diffId)
  }

  /** Returns the cached layer of a recipe, or the layer of the entries that `produce` returns. */
  async layerOfRecipe(recipe: unknown, produce: () => Promise<readonly Entry[]>): Promise<Layer> {
    const known = await this.findRecipe(recipe)
    if (known) return known
    const layer = await this.layer(await produce())
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

  private async find(key: string): Promise<Layer | undefined> {
    try {
      const record = JSON.parse(await readFile(this.recordFile(key), 'utf8')) as LayerRecord
      const file = this.blobFile(record.digest)
      if ((await stat(file)).size !== record.size) return undefined
      return { mediaType: MediaType.layer, ...record, source: { file } }
    } catch {
      // Missing or damaged: the caller rebuilds it.
      return undefined
    }
  }

  private async store(tar: Readable, diffId: string): Promise<Layer> {
    await mkdir(join(this.directory, 'blobs'), { recursive: true })
    const temporary = join(this.directory, 'blobs', `.${randomUUID()}`)
    try {
      const compressed = new Meter()
      const zstd = createZstdCompress({
        params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
      })
      await pipeline(tar, zstd, compressed, createWriteStream(temporary))
      const layer = { diffId, digest: compressed.digest(), size: compressed.sizeBytes }
      const file = this.blobFile(layer.digest)
      await rename(temporary, file)
      await this.remember(`tar-${diffId}`, layer)
      return { mediaType: MediaType.layer, ...layer, source: { file } }
    } finally {
      await rm(temporary, { force: true })
    }
  }

  private async remember(key: string, { diffId, digest, size }: LayerRecord): Promise<void> {
    await this.write(key, { diffId, digest, size } satisfies LayerRecord)
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

async function digestStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(stream, hash)
  return `sha256:${hash.digest('hex')}`
}
