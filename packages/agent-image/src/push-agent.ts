import { readAgentFile } from './agent-file.ts'
import { buildAgent, type BuildAgentOptions, type BuiltAgent } from './build-agent.ts'
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

/**
 * Pushes the images of an agent to its registry, with the logins of docker or podman. Sends only
 * what the registry lacks. Throws RegistryError.
 */
export async function pushAgent(
  agent: BuiltAgent,
  options: Omit<PushOptions, 'mounts'> = {},
): Promise<AgentImage[]> {
  const mounts = new Map<string, string>()
  const images: AgentImage[] = []
  for (const { target, repository, tag, reference, image } of agent.images) {
    const { digest, pushed } = await pushReference(agent.registry, reference, image, {
      ...options,
      mounts,
    })
    images.push({ target, repository, tag, reference, digest, pushed })
  }
  return images
}

/** An agent whose images are in the registry, ready to be registered. */
export type PushedAgent = Omit<BuiltAgent, 'images'> & { readonly images: readonly AgentImage[] }

/** Builds an agent and pushes its images. */
export async function buildAndPushAgent(
  directory: string,
  options: BuildAgentOptions & Pick<PushOptions, 'onUpload'>,
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
