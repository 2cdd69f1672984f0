import type { LayerCache } from '../image/layer-cache.ts'
import { RegistryError } from '../registry/registry-error.ts'
import { findImage } from '../registry/resolve-image.ts'
import { LOCK_FILE } from './base-lock.ts'
import type { Base, BaseOptions, Language } from './base-options.ts'
import { imageBase } from './image-base.ts'
import { PACKAGES_BASE, packagesBase, unpacks } from './packages-base.ts'
import { publicImage, type WantedVersion } from './public-image.ts'

/** The base of builds that name none: an image, or `packages`. */
const BASE_SETTING = 'SLIPWAY_BASE'
/** Another registry, with a path, that has the public images. */
const MIRROR_SETTING = 'SLIPWAY_BASE_REGISTRY'

/**
 * Returns the base of a program's image, from the cache if it has it. By default, it is the public
 * image of the language's version, with the digest that the lock has.
 */
export async function openBase(
  language: Language,
  wanted: WantedVersion | undefined,
  cache: LayerCache,
  options: BaseOptions,
): Promise<Base> {
  const { environment = process.env } = options
  const base = options.base ?? (environment[BASE_SETTING] || undefined)
  if (base === undefined) return await publicBase(language, wanted, cache, options)
  return base === PACKAGES_BASE
    ? await packagesBase(language, cache, options)
    : await imageBase(base, language, cache, options)
}

async function publicBase(
  language: Language,
  wanted: WantedVersion | undefined,
  cache: LayerCache,
  options: BaseOptions,
): Promise<Base> {
  const { environment = process.env, lock, progress, platform, updateBase } = options
  const { name, problem } = await publicImage(language, wanted)
  if (problem !== undefined) progress(`warning: ${problem}`)
  const mirror = (environment[MIRROR_SETTING] || 'docker.io/library').replace(/\/+$/, '')
  const [repository = '', tag = ''] = name.slice(name.lastIndexOf('/') + 1).split(':')
  const place = `${mirror}/${repository}`
  const recorded = lock?.digestOf(name)
  // The option for plain HTTP is about the registry that images are pushed to.
  const access = { ...options, insecure: false }
  try {
    const digest =
      recorded !== undefined && updateBase !== true
        ? recorded
        : (await findImage(`${place}:${tag}`, access)).digest
    const base = await imageBase(`${place}@${digest}`, language, cache, access)
    await lock?.record(name, digest, progress)
    return { ...base, name: `${name}@${digest}` }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (recorded === undefined && error.problem !== 'not-found' && unpacks(language, platform)) {
      progress(
        `warning: the base ${name} can't be read (${error.message}). The image is built on the ` +
          'Debian packages of this machine, and depends on them; --base packages chooses them',
      )
      return await packagesBase(language, cache, options)
    }
    const what = recorded === undefined ? name : `${name}@${recorded} of ${LOCK_FILE}`
    throw new RegistryError(`the base ${what} can't be read: ${error.message}`, {
      problem: error.problem,
      registry: error.registry,
      remedy:
        `set ${MIRROR_SETTING} to a registry that has a copy, name another image with --base, or ` +
        'use --base packages on Debian',
      cause: error,
    })
  }
}
