import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  assembleImage,
  fileEntry,
  imageIndex,
  LayerCache,
  pushImage,
  type Image,
} from '../../src/parts.ts'

/** Pushes an image with Node.js for two platforms under one tag; returns them by architecture. */
export async function pushBase(
  registry: string,
  folder: string,
  name: string,
  { tag = '1', content = name, environment = { NODE_VERSION: '24.1.0', FROM_BASE: 'kept' } } = {},
) {
  const cache = new LayerCache(join(folder, 'base'))
  const images: Partial<Record<'amd64' | 'arm64', Image>> = {}
  for (const architecture of ['amd64', 'arm64'] as const) {
    const layer = await cache.layer([
      fileEntry('etc/base', `${content} on ${architecture}`),
      fileEntry('usr/local/bin/node', '', { executable: true }),
    ])
    const config = { entrypoint: ['node'], user: '0', environment }
    const image = assembleImage([layer], config, { os: 'linux', architecture })
    images[architecture] = image
  }
  await pushImage(registry, name, tag, imageIndex(Object.values(images)))
  return images
}

/** Writes an agent in Node.js without packages to the folder `agent`. */
export async function writeAgent(
  place: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = join(place, 'agent')
  await mkdir(folder)
  const build = '{ context: ., dockerfile: Dockerfile }'
  const all = {
    'astroai.yml': `spec: astro/v1\nname: based\nagent: { build: ${build}, port: 80 }\n`,
    'package.json': '{"bin": {"agent": "agent.js"}}',
    'agent.js': 'console.log(1)',
    ...files,
  }
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text)
  return folder
}

/** The configuration of an image. */
export function configOf({ config }: Image) {
  if (!('bytes' in config.source)) throw new Error('a configuration is in memory')
  return JSON.parse(config.source.bytes.toString()) as {
    architecture: string
    config: { Env: string[]; User: string; Entrypoint: string[] }
    rootfs: { diff_ids: string[] }
  }
}
