import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  buildAgent,
  parseRegistry,
  pushReference,
  type Pushable,
  type PushResult,
} from '@slipway/images'
import { pushWithCredentials } from '../install/push-platform-image.ts'
import { ensureSystemPackages } from '../install/system-packages.ts'
import { REGISTRY_ADDRESS } from '../parts/registry.ts'
import { say } from '../progress.ts'
import { stackDirectories } from '../stack/stack.ts'
import { UsageError } from '../usage-error.ts'

/**
 * `build [--registry REGISTRY] [--insecure] [--dockerfile] [FOLDER]`: builds and pushes the images
 * of the agent in FOLDER. Prints the body of the request that registers the build.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      registry: { type: 'string', default: REGISTRY_ADDRESS },
      insecure: { type: 'boolean', default: false },
      dockerfile: { type: 'boolean', default: false },
    },
    strict: true,
    allowPositionals: true,
  })
  const [given = '.', ...more] = positionals
  if (more.length > 0) throw new UsageError('build takes one folder')
  const folder = resolve(given)
  if (!existsSync(join(folder, 'astroai.yml')))
    throw new UsageError(`${folder} has no astroai.yml, the spec of an agent`)
  await ensureSystemPackages(say)
  const place = stackDirectories()
  const registry = values.registry.replace(/\/+$/, '')
  const { origin } = parseRegistry(registry)
  const insecure = values.insecure || origin.startsWith('http:')
  const push = async (pushable: Pushable, reference: string): Promise<PushResult> => {
    // A registry on this machine needs no credentials.
    if ('image' in pushable && origin === `http://${REGISTRY_ADDRESS}`)
      return await pushReference(registry, reference, pushable.image, say)
    const pushed = await pushWithCredentials(place, pushable, reference, { insecure, log: say })
    return { digest: pushed.slice(pushed.lastIndexOf('@') + 1), pushed: true }
  }
  const { buildId, spec, images } = await buildAgent(folder, {
    registry,
    cacheDirectory: join(place.cacheDir, 'images'),
    useDockerfiles: values.dockerfile,
    progress: say,
    push,
  })
  for (const { reference, digest } of images) say(`${reference}@${digest}`)
  const readme = join(folder, 'README.md')
  const body = {
    build_id: buildId,
    registry,
    spec_content: spec,
    ...(existsSync(readme) && { readme: await readFile(readme, 'utf8') }),
    image_digests: Object.fromEntries(images.map(({ reference, digest }) => [reference, digest])),
  }
  console.log(JSON.stringify(body, undefined, 2))
  return 0
}
