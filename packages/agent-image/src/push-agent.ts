import { readAgentFile } from './agent-file.ts'
import { buildAgent, type BuildAgentOptions, type BuiltAgent } from './build-agent.ts'
import { attachAttestations, type AttestOptions, type Attestation } from './attestations/attach.ts'
import { readCommit, type Commit } from './commit.ts'
import type { AgentImage } from './program/agent-image.ts'
import { pushReference, type PushOptions } from './registry/push-image.ts'

/** The body of the request that registers a build, as the API has it. */
export interface Registration {
  readonly build_id: string
  readonly registry: string
  readonly spec_content: string
  readonly readme?: string
  readonly image_digests: Readonly<Record<string, string>>
  readonly commit?: Commit
}

/** How to push the images of an agent. */
export interface PushAgentOptions extends Omit<PushOptions, 'mounts'> {
  /** Attaches an SBOM and the provenance to each image. Default: neither. */
  readonly attest?: AttestOptions | undefined
}

/** An image in the registry, and what is attached to it. */
export interface PushedImage extends AgentImage {
  readonly attestations?: readonly Attestation[]
}

/**
 * Pushes the images of an agent to its registry, with the logins of docker or podman. Sends only
 * what the registry lacks. Throws RegistryError.
 */
export async function pushAgent(
  agent: BuiltAgent,
  options: PushAgentOptions = {},
): Promise<PushedImage[]> {
  const mounts = new Map<string, string>()
  const images: PushedImage[] = []
  for (const { target, repository, tag, reference, image } of agent.images) {
    const { digest, pushed } = await pushReference(agent.registry, reference, image, {
      ...options,
      mounts,
    })
    images.push({ target, repository, tag, reference, digest, pushed })
  }
  const { attest } = options
  if (attest === undefined) return images
  const attached = await attachAttestations(agent, attest, options)
  return images.map((each) => ({ ...each, attestations: attached.get(each.reference) ?? [] }))
}

/** An agent whose images are in the registry, ready to be registered. */
export type PushedAgent = Omit<BuiltAgent, 'images'> & { readonly images: readonly PushedImage[] }

/** Builds an agent and pushes its images. */
export async function buildAndPushAgent(
  directory: string,
  options: BuildAgentOptions & Pick<PushAgentOptions, 'onUpload' | 'attest'>,
): Promise<PushedAgent> {
  const built = await buildAgent(directory, options)
  return { ...built, images: await pushAgent(built, options) }
}

/**
 * Returns the request that registers a build, with the README of its folder and the commit that it
 * was made from, if there are any.
 */
export async function registrationOf(
  directory: string,
  agent: Pick<BuiltAgent, 'buildId' | 'registry' | 'spec'> & {
    readonly images: readonly { readonly reference: string; readonly digest: string }[]
  },
): Promise<Registration> {
  const [readme, commit] = await Promise.all([
    readAgentFile(directory, 'README.md'),
    readCommit(directory),
  ])
  return {
    build_id: agent.buildId,
    registry: agent.registry,
    spec_content: agent.spec,
    ...(readme !== undefined && { readme }),
    image_digests: Object.fromEntries(
      agent.images.map(({ reference, digest }) => [reference, digest]),
    ),
    ...(commit !== undefined && { commit }),
  }
}
