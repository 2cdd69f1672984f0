import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { readAgentFile } from './agent-file.ts'
import { BaseLock } from './base/base-lock.ts'
import type { PlatformName } from './base/platform.ts'
import type { OutsideAccess } from './dockerfile/outside-access.ts'
import type { ImageContents } from './checks/image-contents.ts'
import { imageIndex, imagesOf, type Image, type ImageIndex } from './image/oci.ts'
import { Preparation, type BuildSource, type Prepared } from './preparation.ts'
import type { BuilderOptions } from './program/agent-image.ts'
import { parseRegistry } from './registry/registry-location.ts'
import { readSpecFile } from './spec-builds.ts'

/** Options for building an agent. */
export interface BuildAgentOptions extends Omit<BuilderOptions, 'lock' | 'platform'> {
  /** Where the images will be pushed: a host, with a port and a path if need be. */
  readonly registry: string
  /**
   * With several, each image is an index of theirs. Default: `defaultPlatform()`; for Dockerfiles
   * that of the engine.
   */
  readonly platforms?: readonly PlatformName[] | undefined
  /** What images are built from. Default: `auto`. */
  readonly from?: BuildSource | undefined
  /**
   * Receives what builds take from outside of the agent's folder, before anything is built.
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
  /** As `linux/amd64`. */
  readonly platforms: readonly string[]
  /** The compressed size of all layers; those that platforms share count once. */
  readonly sizeBytes: number
  readonly builtFrom: 'dockerfile' | 'project'
  /** The base of a project: an image with its digest, or `packages`. */
  readonly base?: string
  readonly image: Image | ImageIndex
  /** Lists its files, for each platform; empty for the image of a Dockerfile. */
  readonly contents: readonly PlatformContents[]
}

/** The files of an image for one platform. Images of the same project have the same `list`. */
export interface PlatformContents {
  /** As `linux/amd64`. */
  readonly platform: string
  readonly list: () => Promise<ImageContents>
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
  for (const line of spec.warnings) options.progress?.(line)
  const lock = await BaseLock.open(directory)
  const preparations = preparationsFor(resolve(directory), { ...options, lock })
  const outside = await preparations[0].outsideAccess(spec.builds)
  if (outside.length > 0) await (options.allowOutside ?? refuseOutside)(outside)
  const prepared = []
  const known = new Map<Prepared, PreparedImage>()
  for (const each of spec.builds) {
    const forPlatforms: Prepared[] = []
    for (const preparation of preparations) forPlatforms.push(await preparation.prepare(each))
    const [first] = forPlatforms as [Prepared]
    const from = known.get(first) ?? {
      ...first,
      image: oneImage(forPlatforms),
      contents: forPlatforms.flatMap(contentsOf),
    }
    known.set(first, from)
    prepared.push({ ...each, from })
  }

  const content = createHash('sha256').update(source)
  for (const { image } of known.values())
    for (const { config } of imagesOf(image)) content.update(config.digest)
  const buildId = content.digest('hex').slice(0, 12)

  const images = new Map<string, BuiltImage>()
  for (const { target, from, replaceBy } of prepared) {
    const { repository, image, builtFrom, base, contents } = from
    const reference = `${prefix}${repository}:${buildId}`
    replaceBy(reference)
    const same = images.get(reference)
    if (same && same.digest !== image.manifest.digest)
      throw new Error(
        `two builds of astroai.yml have the repository ${repository}; rename a target`,
      )
    if (same) continue
    images.set(reference, {
      target,
      repository,
      tag: buildId,
      reference,
      digest: image.manifest.digest,
      platforms: imagesOf(image).map(platformOf),
      sizeBytes: sizeOf(image),
      builtFrom,
      ...(base !== undefined && { base }),
      image,
      contents,
    })
  }
  return { name: spec.name, buildId, spec: spec.text(), registry, images: [...images.values()] }
}

/** What a build of the spec is, for all platforms. */
type PreparedImage = Omit<Prepared, 'image' | 'contents'> & Pick<BuiltImage, 'image' | 'contents'>

/** Returns what prepares the images of each platform. */
function preparationsFor(
  directory: string,
  { platforms = [], ...options }: BuildAgentOptions & { readonly lock: BaseLock },
): [Preparation, ...Preparation[]] {
  const [first, ...others] = new Set(platforms)
  if (others.length === 0) return [new Preparation(directory, { ...options, platform: first })]
  const { progress } = options
  const forPlatform = (platform: PlatformName | undefined): Preparation =>
    new Preparation(directory, {
      ...options,
      platform,
      progress: progress && ((line) => progress(`${platform}: ${line}`)),
    })
  return [forPlatform(first), ...others.map(forPlatform)]
}

function oneImage(prepared: readonly Prepared[]): Image | ImageIndex {
  const [{ image }, ...others] = prepared as [Prepared, ...Prepared[]]
  if (others.length === 0) return image
  return imageIndex(prepared.map((each) => each.image))
}

function contentsOf({ image, contents }: Prepared): PlatformContents[] {
  return contents === undefined ? [] : [{ platform: platformOf(image), list: contents }]
}

function platformOf({ platform: { os, architecture } }: Image): string {
  return `${os}/${architecture}`
}

function sizeOf(image: Image | ImageIndex): number {
  const layers = imagesOf(image).flatMap((each) => each.layers)
  const sizes = new Map(layers.map(({ digest, size }) => [digest, size]))
  return sizes.values().reduce((sum, size) => sum + size, 0)
}

function refuseOutside(access: readonly OutsideAccess[]): Promise<never> {
  const names = access.map(({ kind, name }) => `the ${kind} ${name}`).join(', ')
  throw new Error(`astroai.yml takes from outside of its folder: ${names}`)
}
