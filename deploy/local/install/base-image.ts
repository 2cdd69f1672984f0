import { resolveImage } from '@slipway/agent-image/parts'

const ARGUMENT = /^ARG (BASE_IMAGE|BUILD_IMAGE)=(\S+)$/gm

/** How to reach the registry of a base image. */
export interface BaseImageOptions {
  /** Another image in place of the ones that the Dockerfile names. */
  readonly image?: string | undefined
  readonly insecure?: boolean | undefined
}

/**
 * Returns a Dockerfile whose default base images are named by the digests that their tags have now.
 */
export async function recordBaseImages(
  dockerfile: string,
  { image, insecure }: BaseImageOptions = {},
): Promise<string> {
  const found = [...dockerfile.matchAll(ARGUMENT)]
  if (found.length !== 2) throw new Error('the Dockerfile must have BASE_IMAGE and BUILD_IMAGE')
  const named = found.map(([, , given = '']) => image ?? given.replace(/@.*/, ''))
  const digests = new Map<string, string>()
  for (const name of new Set(named)) digests.set(name, await resolveImage(name, { insecure }))
  let index = 0
  return dockerfile.replaceAll(ARGUMENT, (_line, argument: string) => {
    const name = named[index++] ?? ''
    return `ARG ${argument}=${name}@${digests.get(name)}`
  })
}
