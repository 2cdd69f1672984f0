import type { Platform } from '../image/oci.ts'

/** The names of the platforms that images can have. */
export const PLATFORMS = ['linux/amd64', 'linux/arm64'] as const

/** A platform of images, as `docker build --platform` has it. */
export type PlatformName = (typeof PLATFORMS)[number]

/**
 * Returns the platform of images unless another is given: on Linux the architecture of this
 * machine, elsewhere amd64, since a laptop's processor says nothing about the cluster.
 */
export function defaultPlatform(): PlatformName {
  return process.platform === 'linux' && process.arch === 'arm64' ? 'linux/arm64' : 'linux/amd64'
}

/** Parses the name of a platform. Throws if it is not one of PLATFORMS. */
export function parsePlatform(name: string): Platform {
  const known = PLATFORMS.find((each) => each === name)
  if (known === undefined)
    throw new Error(`${JSON.stringify(name)} is not a platform: ${PLATFORMS.join(' or ')}`)
  return { os: 'linux', architecture: known === 'linux/arm64' ? 'arm64' : 'amd64' }
}

/** Whether programs of this machine run on a platform. */
export function isHostPlatform({ architecture }: Platform): boolean {
  return (
    process.platform === 'linux' && process.arch === { amd64: 'x64', arm64: 'arm64' }[architecture]
  )
}
