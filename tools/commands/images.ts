import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pushReference } from '@slipway/agent-image/parts'
import { readRelease } from '@slipway/images'
import { recordBaseImages } from '@slipway/local/install/base-image'
import { buildPlatformImage, PLATFORM_IMAGES } from '@slipway/local/install/platform-images'
import type { PlatformImage } from '@slipway/local/install/platform-images'
import { ensureSystemPackages } from '@slipway/local/install/system-packages'
import { say, step } from '@slipway/local/progress'
import { stackDirectories } from '@slipway/local/stack/stack'
import { UsageError } from '@slipway/local/usage-error'

/**
 * `images list [--values] [REGISTRY]`: builds the platform's images and prints their digests, or
 * the values of the chart for them.
 * `images push REGISTRY [NAME…]`: pushes all or some of them, and prints the same.
 * `images base [IMAGE]`: records in the Dockerfile which digest its base image has now.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      insecure: { type: 'boolean', default: false },
      values: { type: 'boolean', default: false },
    },
    strict: true,
    allowPositionals: true,
  })
  const [action, registry, ...names] = positionals
  if (action === 'list' && names.length === 0) return await list(registry, values.values)
  if (action === 'push' && registry !== undefined)
    return await push(prefixOf(registry), chosen(names), values.insecure)
  if (action === 'base' && names.length === 0) return await recordBase(registry, values.insecure)
  throw new UsageError(
    'images needs list, base or push REGISTRY, as in ./dev images push localhost:5000',
  )
}

async function list(registry: string | undefined, asValues: boolean): Promise<number> {
  const prefix = registry === undefined ? '' : prefixOf(registry)
  const directories = await prepare()
  if (asValues) {
    console.log('image:')
    if (registry !== undefined) console.log(`  registry: ${prefix.slice(0, -1)}`)
    console.log('  digests:')
  }
  for (const name of PLATFORM_IMAGES) {
    const { digest } = (await buildPlatformImage(directories, name, say)).manifest
    console.log(asValues ? `    ${name}: ${digest}` : `${prefix}slipway/${name}@${digest}`)
  }
  return 0
}

async function push(
  prefix: string,
  names: readonly PlatformImage[],
  insecure: boolean,
): Promise<number> {
  const directories = await prepare()
  const { version } = await readRelease(directories.checkout)
  for (const name of names) {
    const target = `${prefix}slipway/${name}:${version}`
    const pushed = await step(`push ${target}`, async () => {
      const image = await buildPlatformImage(directories, name, say)
      const registry = prefix.slice(0, -1)
      const { digest } = await pushReference(registry, target, image, { insecure, progress: say })
      return `${prefix}slipway/${name}@${digest}`
    })
    console.log(pushed)
  }
  return 0
}

async function recordBase(image: string | undefined, insecure: boolean): Promise<number> {
  const file = join(stackDirectories().checkout, 'Dockerfile')
  const recorded = await recordBaseImages(await readFile(file, 'utf8'), { image, insecure })
  await writeFile(file, recorded)
  for (const line of recorded.match(/^ARG B\w+_IMAGE=.*$/gm) ?? []) console.log(line)
  return 0
}

async function prepare() {
  await ensureSystemPackages(say)
  return stackDirectories()
}

function prefixOf(registry: string): string {
  if (registry.includes('://') || !/^[\w.:[\]-]+(\/[\w.-]+)*\/?$/.test(registry))
    throw new UsageError(
      `${registry} is not a registry: give its host, port and path, without http://`,
    )
  return registry.endsWith('/') ? registry : `${registry}/`
}

function chosen(names: readonly string[]): readonly PlatformImage[] {
  if (names.length === 0) return PLATFORM_IMAGES
  return names.map((name) => {
    const known = PLATFORM_IMAGES.find((each) => each === name)
    if (known === undefined)
      throw new UsageError(`${name} is not an image; images are ${PLATFORM_IMAGES.join(', ')}`)
    return known
  })
}
