import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { LayerCache } from '../image/layer-cache.ts'
import { hostPlatform, type Platform } from '../image/oci.ts'
import type { Base, BaseOptions, Language } from './base-options.ts'
import { debianPython } from './debian-python.ts'
import { nodeProblem } from './node.ts'
import { isHostPlatform } from './platform.ts'
import { nodeRuntime, SHELL_PACKAGES } from './runtime.ts'

/** The name of the base that is made of Debian packages, in place of an image. */
export const PACKAGES_BASE = 'packages'

/** Returns the base that is made of this machine's Debian packages. */
export async function packagesBase(
  language: Language,
  cache: LayerCache,
  { platform, progress, signal }: BaseOptions,
): Promise<Base> {
  if (!isHostPlatform(platform)) {
    const { architecture } = hostPlatform()
    throw new Error(`the base of packages is for linux/${architecture}; name an image as base`)
  }
  if (language === 'python') {
    const { layer, version } = await debianPython(cache, progress, signal)
    return { layers: [layer], environment: {}, version, name: PACKAGES_BASE }
  }
  const options = { signal, packages: SHELL_PACKAGES }
  const { layers } = await nodeRuntime(cache, progress, options)
  const version = process.versions.node
  return { layers, environment: { NODE_VERSION: version }, version, name: PACKAGES_BASE }
}

/** Whether this machine can unpack Debian packages for a platform without a question. */
export function unpacks(language: Language, platform: Platform): boolean {
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
