import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assembleImage, fileEntry, LayerCache, type Image } from '../../src/parts.ts'

/** A folder for one test. */
export interface Scratch extends AsyncDisposable {
  readonly folder: string
}

/** Makes an empty folder, which is deleted at the end. */
export async function scratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-push-'))
  return {
    folder,
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/** Returns an image with random layers of these sizes, so that no registry has them. */
export async function randomImage(folder: string, ...sizes: readonly number[]): Promise<Image> {
  const cache = new LayerCache(join(folder, 'cache'))
  const layers = []
  for (const [index, size] of sizes.entries())
    layers.push(await cache.layer([fileEntry(`data-${index}`, randomBytes(size))]))
  return assembleImage(layers, { entrypoint: ['/data'], user: '1000' })
}

/** Writes a docker configuration to a folder; returns an environment with only that. */
export async function dockerConfig(folder: string, value: unknown): Promise<NodeJS.ProcessEnv> {
  await writeFile(join(folder, 'config.json'), JSON.stringify(value))
  return { DOCKER_CONFIG: folder, HOME: folder, PATH: process.env['PATH'] }
}

/** The entry of `auths` for a user. */
export function auth(user: string, password: string): { auth: string } {
  return { auth: Buffer.from(`${user}:${password}`).toString('base64') }
}
