import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMap, parseDocument, visit, type Document, type YAMLMap } from 'yaml'
import {
  AgentImageBuilder,
  type AgentImage,
  type AgentImageOptions,
  type BuiltImage,
} from './agent-image.ts'
import { pushImage } from './registry.ts'

/** An agent whose images are in the registry, ready to be registered. */
export interface BuiltAgent {
  name: string
  /** Twelve hex digits: a hash of all its images and its spec. */
  buildId: string
  /** The agent's astroai.yml, with every `build` replaced by the resulting `image`. */
  spec: string
  images: AgentImage[]
}

/** Returns the maps of the spec that have a `build`, with its target (default: `agent`). */
function findBuilds(document: Document): { owner: YAMLMap; target: string }[] {
  const builds: { owner: YAMLMap; target: string }[] = []
  visit(document, {
    Map(_key, owner) {
      const build = owner.get('build')
      if (!isMap(build)) return
      const target = build.get('target') ?? 'agent'
      if (typeof target !== 'string')
        throw new Error('astroai.yml: the target of a build must be a string')
      builds.push({ owner, target })
    },
  })
  return builds
}

/**
 * Prepares a build for registration, as a client does: builds the images of `astroai.yml`, pushes
 * them, and writes their names to the spec.
 */
export async function buildAgent(
  directory: string,
  options: Pick<AgentImageOptions, 'registry' | 'cacheDirectory' | 'progress'>,
): Promise<BuiltAgent> {
  const source = await readFile(join(directory, 'astroai.yml'), 'utf8')
  const document = parseDocument(source)
  const builds = findBuilds(document)
  const builder = await AgentImageBuilder.open(directory, options)
  const built = new Map<string, BuiltImage>(
    builds.map(({ target }) => [target, builder.assemble(target)]),
  )
  const content = createHash('sha256').update(source)
  for (const { image } of built.values()) content.update(image.config.digest)
  const buildId = content.digest('hex').slice(0, 12)

  const images: AgentImage[] = []
  for (const [target, { repository, image }] of built) {
    const { digest, pushed } = await pushImage(
      options.registry,
      repository,
      buildId,
      image,
      options.progress,
    )
    const reference = `${options.registry}/${repository}:${buildId}`
    images.push({ target, repository, tag: buildId, reference, digest, pushed })
  }
  for (const { owner, target } of builds) {
    const image = images.find((candidate) => candidate.target === target)
    owner.delete('build')
    owner.items.unshift(document.createPair('image', image?.reference))
  }
  return {
    name: String(document.get('name')),
    buildId,
    spec: document.toString({ lineWidth: 0, flowCollectionPadding: false }),
    images,
  }
}
