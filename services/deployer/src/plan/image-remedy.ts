import { unpinnedImage } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import type { DigestAnswer } from '../images/registry-client.ts'

/** Why a registry has not returned the digest of an image. */
export type ImageProblem = Extract<DigestAnswer, { problem: string }>['problem']

/** What the problem is. */
export const IMAGE_PROBLEMS: Readonly<Record<ImageProblem, string>> = {
  internal: 'the registry has an internal address',
  no_access: 'the registry has no such image, or reading it needs other credentials',
  not_found: 'the registry has no such image',
  unavailable: 'the registry did not return the digest of the image',
}

const REMEDIES: Readonly<Record<ImageProblem, (image: string) => string>> = {
  internal: () =>
    'use a registry with public addresses, or ask the operator to add it to INTERNAL_REGISTRIES',
  no_access: () => 'check its name, or ask the operator to set credentials for it',
  not_found: (image) => `push ${image}, or correct the reference in the spec`,
  unavailable: () => 'check the name of the registry, or use one that the platform can reach',
}

/**
 * Returns what to do about an image that can't be pulled. Only the operator can replace the image
 * of a provider.
 */
export function imageRemedy(
  { config }: Pick<DeployerContext, 'config'>,
  image: string,
  problem: ImageProblem,
): string {
  const provider = config.workloads.template.providers.find(
    (row) => row.kind === 'self-hosted' && row.image === unpinnedImage(image),
  )?.name
  return provider === undefined
    ? REMEDIES[problem](image)
    : `it is the image of the provider ${provider}; ask the operator to set ` +
        `PROVIDER_OVERRIDES={"${provider}": {"image": "…"}} to one that nodes can pull`
}
