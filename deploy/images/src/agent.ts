import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { isAlias, isMap, parseDocument, visit, type Document, type YAMLMap } from 'yaml'
import {
  AgentImageBuilder,
  languageOf,
  repositoryOf,
  type AgentImage,
  type AgentImageOptions,
} from './agent-image.ts'
import {
  buildDockerfile,
  dockerfileOf,
  findEngine,
  type ContainerEngine,
  type DockerfileBuild,
} from './container-engine.ts'
import type { Image } from './oci.ts'
import { pushReference, type PushResult } from './registry.ts'
import { parseRegistry } from './registry-location.ts'

/** An agent whose images are in the registry, ready to be registered. */
export interface BuiltAgent {
  name: string
  /** Twelve hex digits: a hash of all its images and its spec. */
  buildId: string
  /** The agent's astroai.yml, with every `build` replaced by the resulting `image`. */
  spec: string
  images: AgentImage[]
}

/** An image to push: built here, or an archive that a container engine has written. */
export type Pushable = { readonly image: Image } | { readonly archive: string }

/** Options for building an agent. */
export interface AgentOptions extends Pick<
  AgentImageOptions,
  'registry' | 'cacheDirectory' | 'progress'
> {
  /** Builds from the Dockerfiles in the spec, with docker or podman. */
  useDockerfiles?: boolean
  /** Pushes an image. By default, to a registry without a password, and no archives. */
  push?: (pushable: Pushable, reference: string) => Promise<PushResult>
}

/** A `build` of the spec. */
interface Build {
  readonly owner: YAMLMap
  readonly target: string
  readonly build: DockerfileBuild
}

/** An image that is not pushed yet. Builds of the same program share it. */
interface Prepared {
  readonly repository: string
  /** Identifies its content. */
  readonly id: string
  readonly pushable: Pushable
}

/**
 * Prepares a build for registration, as a client does: builds the images of `astroai.yml`, pushes
 * them, and writes their names to the spec.
 */
export async function buildAgent(directory: string, options: AgentOptions): Promise<BuiltAgent> {
  const source = await readFile(join(directory, 'astroai.yml'), 'utf8')
  const document = parseDocument(source)
  const builds = findBuilds(document)
  const { prefix } = parseRegistry(options.registry)
  const archives = await mkdtemp(join(tmpdir(), 'slipway-agent-'))
  try {
    const preparation = new Preparation(resolve(directory), archives, options)
    const prepared = new Map<Build, Prepared>()
    for (const build of builds) prepared.set(build, await preparation.prepare(build))
    const content = createHash('sha256').update(source)
    for (const { id } of new Set(prepared.values())) content.update(id)
    const buildId = content.digest('hex').slice(0, 12)

    const images = new Map<Prepared, AgentImage>()
    for (const [{ owner, target }, each] of prepared) {
      const { repository, pushable } = each
      const reference = `${prefix}${repository}:${buildId}`
      if (!images.has(each)) {
        const { digest, pushed } = await push(options, pushable, reference)
        images.set(each, { target, repository, tag: buildId, reference, digest, pushed })
      }
      owner.delete('build')
      owner.items.unshift(document.createPair('image', reference))
    }
    return {
      name: String(document.get('name')),
      buildId,
      spec: document.toString({ lineWidth: 0, flowCollectionPadding: false }),
      images: [...images.values()],
    }
  } finally {
    await rm(archives, { recursive: true })
  }
}

/** Returns the maps of the spec that have a `build`, with its target (default: `agent`). */
function findBuilds(document: Document): Build[] {
  const builds: Build[] = []
  visit(document, {
    Map(_key, owner) {
      const value = owner.get('build', true)
      const found = isAlias(value) ? value.resolve(document) : value
      if (!isMap(found)) return
      const build = found.toJS(document) as DockerfileBuild
      const target: unknown = build.target ?? 'agent'
      if (typeof target !== 'string')
        throw new Error('astroai.yml: the target of a build must be a string')
      builds.push({ owner, target, build })
    },
  })
  return builds
}

/** Prepares the images of an agent, each program once. */
class Preparation {
  readonly #directory: string
  readonly #archives: string
  readonly #options: AgentOptions
  readonly #builders = new Map<string, Promise<AgentImageBuilder>>()
  readonly #prepared = new Map<string, Prepared>()
  #engine: ContainerEngine | undefined

  constructor(directory: string, archives: string, options: AgentOptions) {
    this.#directory = directory
    this.#archives = archives
    this.#options = options
  }

  async prepare(build: Build): Promise<Prepared> {
    const folder = this.#folderOf(build)
    const key = JSON.stringify([
      folder,
      build.target,
      this.#isFromDockerfile(folder) && build.build,
    ])
    const known = this.#prepared.get(key)
    if (known) return known
    const prepared = await (this.#isFromDockerfile(folder)
      ? this.#fromDockerfile(build, folder)
      : this.#fromPackages(build, folder))
    this.#prepared.set(key, prepared)
    return prepared
  }

  /** The context of a build if it has a program and is in the agent's folder, else that folder. */
  #folderOf({ build }: Build): string {
    const context = resolve(this.#directory, build.context ?? '.')
    const isInside = !relative(this.#directory, context).startsWith('..')
    return isInside && languageOf(context) !== undefined ? context : this.#directory
  }

  #isFromDockerfile(folder: string): boolean {
    return this.#options.useDockerfiles === true || languageOf(folder) === undefined
  }

  async #fromPackages({ target, build }: Build, folder: string): Promise<Prepared> {
    const { progress } = this.#options
    if (build.dockerfile !== undefined && existsSync(dockerfileOf(this.#directory, build)))
      progress?.(`building ${target} from its packages, not from ${build.dockerfile}`)
    const opening = this.#builders.get(folder) ?? AgentImageBuilder.open(folder, this.#options)
    this.#builders.set(folder, opening)
    const { image } = (await opening).assemble(target)
    return {
      repository: this.#repositoryOf(folder, target),
      id: image.config.digest,
      pushable: { image },
    }
  }

  async #fromDockerfile({ target, build }: Build, folder: string): Promise<Prepared> {
    if (!existsSync(dockerfileOf(this.#directory, build))) {
      throw new Error(
        `${dockerfileOf(this.#directory, build)} does not exist, and ${folder} has no ` +
          'package.json, requirements.txt or main.py to build an image from',
      )
    }
    this.#engine ??= findEngine()
    this.#options.progress?.(`building ${target} with ${this.#engine}`)
    const archive = join(this.#archives, `${this.#prepared.size}.tar`)
    const id = await buildDockerfile(this.#engine, this.#directory, build, archive)
    const context = resolve(this.#directory, build.context ?? '.')
    const isInside = !relative(this.#directory, context).startsWith('..')
    const repository = this.#repositoryOf(isInside ? context : this.#directory, target)
    return { repository, id, pushable: { archive } }
  }

  #repositoryOf(folder: string, target: string): string {
    const name = basename(this.#directory)
    const inside = relative(this.#directory, folder)
    return repositoryOf(inside === '' ? name : `${name}-${inside}`, target)
  }
}

async function push(
  { registry, progress, push: own }: AgentOptions,
  pushable: Pushable,
  reference: string,
): Promise<PushResult> {
  if (own) return await own(pushable, reference)
  if ('archive' in pushable) throw new Error('images from Dockerfiles need `push`')
  return await pushReference(registry, reference, pushable.image, progress)
}
