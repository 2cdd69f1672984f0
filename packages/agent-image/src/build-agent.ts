import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { readAgentFile } from './agent-file.ts'
import { BaseLock } from './base/base-lock.ts'
import type { OutsideAccess } from './dockerfile/outside-access.ts'
import type { Image } from './image/oci.ts'
import { Preparation, type BuildSource } from './preparation.ts'
import type { BuilderOptions } from './program/agent-image.ts'
import { parseRegistry } from './registry/registry-location.ts'
import { readSpecFile } from './spec-builds.ts'

/** Options for building an agent. */
export interface BuildAgentOptions extends Omit<BuilderOptions, 'lock'> {
  /** Where the images will be pushed: a host, with a port and a path if need be. */
  readonly registry: string
  /** What images are built from. Default: `auto`. */
  readonly from?: BuildSource | undefined
  /**
   * Receives what Dockerfiles take from outside of the agent's folder, before anything is built.
   * Throws unless the user allows it. Default: nothing is allowed.
   */
  readonly allowOutside?: ((access: readonly OutsideAccess[]) => Promise<void>) | undefined
}

/** An image of an agent, not pushed yet. */
export interface BuiltImage {
  /** The program that it starts, or the stage of its Dockerfile. */
  readonly target: string
  readonly repository: string
  readonly tag: string
  /** `registry/repository:tag`, as in the spec. */
  readonly reference: string
  /** The digest of the manifest, which a registration names. */
  readonly digest: string
  /** The compressed size of all layers. */
  readonly sizeBytes: number
  readonly builtFrom: 'dockerfile' | 'project'
  /** The base of a project: an image with its digest, or `packages`. */
  readonly base?: string
  readonly image: Image
}

/** An agent whose images can be pushed and registered. */
export interface BuiltAgent {
  /** The name in the spec. */
  readonly name: string
  /** Twelve hex digits: a hash of all its images and its spec. */
  readonly buildId: string
  /** The agent's astroai.yml, with every `build` replaced by the resulting `image`. */
  readonly spec: string
  readonly registry: string
  readonly images: readonly BuiltImage[]
}

/**
 * Builds an image for every `build` in a folder's astroai.yml, each program once. Pushes nothing.
 * An aborted build leaves complete layers in the cache, and nothing else.
 */
export async function buildAgent(
  directory: string,
  options: BuildAgentOptions,
): Promise<BuiltAgent> {
  const registry = options.registry.replace(/\/+$/, '')
  const { prefix } = parseRegistry(registry)
  const source = await readAgentFile(directory, 'astroai.yml')
  if (source === undefined) throw new Error(`${directory} has no astroai.yml`)
  const spec = readSpecFile(source)
  const lock = await BaseLock.open(directory)
  const preparation = new Preparation(resolve(directory), { ...options, lock })
  const outside = await preparation.outsideAccess(spec.builds)
  if (outside.length > 0) await (options.allowOutside ?? refuseOutside)(outside)
  const prepared = []
  for (const each of spec.builds)
    prepared.push({ ...each, from: await preparation.prepare(each.target, each.build) })

  const content = createHash('sha256').update(source)
  for (const { image } of new Set(prepared.map(({ from }) => from)))
    content.update(image.config.digest)
  const buildId = content.digest('hex').slice(0, 12)

  const images = new Map<string, BuiltImage>()
  for (const { target, from, replaceBy } of prepared) {
    const { repository, image, builtFrom, base } = from
    const reference = `${prefix}${repository}:${buildId}`
    replaceBy(reference)
    const known = images.get(reference)
    if (known && known.digest !== image.manifest.digest)
      throw new Error(
        `two builds of astroai.yml have the repository ${repository}; rename a target`,
      )
    if (known) continue
    images.set(reference, {
      target,
      repository,
      tag: buildId,
      reference,
      digest: image.manifest.digest,
      sizeBytes: image.layers.reduce((sum, { size }) => sum + size, 0),
      builtFrom,
      ...(base !== undefined && { base }),
      image,
    })
  }
  return { name: spec.name, buildId, spec: spec.text(), registry, images: [...images.values()] }
}

function refuseOutside(access: readonly OutsideAccess[]): Promise<never> {
  const names = access.map(({ kind, name }) => `the ${kind} ${name}`).join(', ')
  throw new Error(`astroai.yml takes from outside of its folder: ${names}`)
}
