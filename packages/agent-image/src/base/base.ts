import { accessSync, constants } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import type { LayerCache } from '../image/layer-cache.ts'
import { hostPlatform, type Platform } from '../image/oci.ts'
import type { Base, BaseOptions, Language } from './base-options.ts'
import { imageBase } from './image-base.ts'
import { debianPython } from './debian-python.ts'
import { nodeProblem } from './node.ts'
import { isHostPlatform } from './platform.ts'
import { nodeRuntime, SHELL_PACKAGES } from './runtime.ts'

/** The images that programs run in where no Debian packages are used. */
export const DEFAULT_BASES: Readonly<Record<Language, string>> = {
  node: 'docker.io/library/node:24-slim',
  python: 'docker.io/library/python:3.13-slim',
}

/** The name of the base that is made of Debian packages, in place of an image. */
export const PACKAGES_BASE = 'packages'

/** Returns the base of a program's image, from the cache if it has it. */
export async function openBase(
  language: Language,
  cache: LayerCache,
  options: BaseOptions,
): Promise<Base> {
  const { platform, progress, signal } = options
  const base = options.base ?? (unpacks(language, platform) ? PACKAGES_BASE : undefined)
  if (base !== PACKAGES_BASE)
    return await imageBase(base ?? DEFAULT_BASES[language], language, cache, options)
  if (!isHostPlatform(platform)) {
    const { architecture } = hostPlatform()
    throw new Error(`the base of packages is for linux/${architecture}; name an image as base`)
  }
  if (language === 'python') {
    const { layer, version } = await debianPython(cache, progress, signal)
    return { layers: [layer], environment: {}, version }
  }
  const { layers } = await nodeRuntime(cache, progress, {
    signal,
    packages: SHELL_PACKAGES,
  })
  const version = process.versions.node
  return { layers, environment: { NODE_VERSION: version }, version }
}

/** Whether this machine can unpack Debian packages for a platform without a question. */
function unpacks(language: Language, platform: Platform): boolean {
  if (!isHostPlatform(platform) || !hasProgram('mmdebstrap')) return false
  if (language === 'node' && nodeProblem() !== undefined) return false
  return (
    process.getuid?.() === 0 || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
  )
}

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
