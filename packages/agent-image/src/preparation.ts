import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import {
  buildDockerfile,
  dockerfileOf,
  type DockerfileBuild,
} from './dockerfile/build-dockerfile.ts'
import { findContainerEngine, type ContainerEngine } from './dockerfile/container-engine.ts'
import { outsideAccessOf, outsidePaths, type OutsideAccess } from './dockerfile/outside-access.ts'
import type { ImageContents } from './checks/image-contents.ts'
import { LayerCache } from './image/layer-cache.ts'
import type { Image } from './image/oci.ts'
import { isInside } from './inside.ts'
import type { AskedStart } from './program/program.ts'
import {
  AgentImageBuilder,
  languageOf,
  repositoryOf,
  type BuilderOptions,
} from './program/agent-image.ts'
import { foreignManagers } from './program/foreign-managers.ts'
import type { SpecBuild } from './spec-builds.ts'

/**
 * What images are built from: from their Dockerfiles; from Node.js or Python projects; or `auto`,
 * from a Dockerfile if it exists and a container engine works here, else from the project.
 */
export type BuildSource = 'auto' | 'dockerfile' | 'project'

type AskedBuild = Pick<SpecBuild, 'owner' | 'target' | 'build' | 'start'>

/** An image that is not pushed yet. Builds of the same program share it. */
export interface Prepared {
  readonly repository: string
  readonly builtFrom: 'dockerfile' | 'project'
  /** The base of a project. */
  readonly base?: string
  readonly image: Image
  /** Lists the files of a project's image. A Dockerfile's layers don't say which are its own. */
  readonly contents: (() => Promise<ImageContents>) | undefined
}

const NO_ENGINE =
  'building from a Dockerfile needs docker, podman or buildah, with its service running'

/** Prepares the images of an agent, each program once. */
export class Preparation {
  readonly #directory: string
  readonly #options: BuilderOptions & { readonly from?: BuildSource | undefined }
  readonly #builders = new Map<string, Promise<AgentImageBuilder>>()
  readonly #prepared = new Map<string, Prepared>()
  readonly #said = new Set<string>()
  #engine: Promise<ContainerEngine | undefined> | undefined

  constructor(
    directory: string,
    options: BuilderOptions & { readonly from?: BuildSource | undefined },
  ) {
    this.#directory = directory
    this.#options = options
  }

  /** Returns what these builds take from outside of the agent's folder, each once. */
  async outsideAccess(builds: readonly AskedBuild[]): Promise<OutsideAccess[]> {
    const found = new Map<string, OutsideAccess>()
    for (const asked of builds) {
      const folder = this.#folderOf(asked)
      const access = (await this.#isFromDockerfile(asked, folder))
        ? await outsideAccessOf(this.#directory, asked.build)
        : await outsidePaths(this.#directory, [folder])
      for (const each of access) found.set(`${each.kind} ${each.name}`, each)
    }
    return [...found.values()]
  }

  /** Returns the image of a `build` of the spec. */
  async prepare(asked: AskedBuild): Promise<Prepared> {
    this.#options.signal?.throwIfAborted()
    const { target, build, start } = asked
    const folder = this.#folderOf(asked)
    const isFromDockerfile = await this.#isFromDockerfile(asked, folder)
    const key = JSON.stringify([
      folder,
      target,
      isFromDockerfile ? build : (start.command ?? false),
    ])
    const known = this.#prepared.get(key)
    if (known) return known
    if (isFromDockerfile && start.command !== undefined)
      this.#sayOnce(
        `warning: the command of ${target} in astroai.yml is not used, because its Dockerfile ` +
          'says what starts: write it there as CMD',
      )
    const prepared = await (isFromDockerfile
      ? this.#fromDockerfile(target, build)
      : this.#fromProject(target, folder, start))
    this.#prepared.set(key, prepared)
    return prepared
  }

  /**
   * Where the program of a build is: in its context, or in the agent's folder if the context has
   * none. The agent's own program never starts as another container because of that, so a container
   * without a `target` is built from its context or not at all. The context of the agent's programs
   * may be a folder above, as for Dockerfiles of repositories with several of them.
   */
  #folderOf({ owner, target, build }: AskedBuild): string {
    const context = resolve(this.#directory, build.context ?? '.')
    const mayBeAgents = owner === 'agent' || target !== 'agent'
    if (context === this.#directory || (mayBeAgents && isInside(context, this.#directory)))
      return this.#directory
    return languageOf(context) === undefined && mayBeAgents ? this.#directory : context
  }

  async #isFromDockerfile({ target, build }: AskedBuild, folder: string): Promise<boolean> {
    const { from = 'auto' } = this.#options
    const file = dockerfileOf(this.#directory, build)
    const isProject = languageOf(folder) !== undefined
    const exists = existsSync(file)
    if (from === 'dockerfile' || !isProject) {
      if (exists && from !== 'project') return true
      const lacks = isProject
        ? ''
        : ', and no package.json, pyproject.toml, requirements.txt or main.py'
      const has = exists ? `only the Dockerfile ${file}` : `no Dockerfile ${file}`
      const foreign = foreignManagers((name) => existsSync(join(folder, name)))
      const note = isProject || foreign === undefined ? '' : `. ${foreign}`
      throw new Error(`the build ${target} in ${folder} has ${has}${lacks}${note}`)
    }
    if (from === 'project' || !exists) return false
    if ((await this.#findEngine()) !== undefined) return true
    this.#sayOnce(
      `building ${target} from its project, not from ${relative(this.#directory, file)}: ` +
        'there is no docker, podman or buildah here',
    )
    return false
  }

  #sayOnce(line: string): void {
    if (this.#said.has(line)) return
    this.#said.add(line)
    this.#options.progress?.(line)
  }

  async #fromProject(target: string, folder: string, start: AskedStart): Promise<Prepared> {
    const first = { target, start }
    const opening =
      this.#builders.get(folder) ?? AgentImageBuilder.open(folder, { ...this.#options, first })
    this.#builders.set(folder, opening)
    const builder = await opening
    const { image, baseName } = await builder.build(target, undefined, start)
    const repository = this.#repositoryOf(folder, target)
    const { contents } = builder
    return { repository, builtFrom: 'project', base: baseName, image, contents }
  }

  async #fromDockerfile(target: string, build: DockerfileBuild): Promise<Prepared> {
    const { cacheDirectory, onOutput, platform, progress, signal } = this.#options
    const engine = await this.#findEngine()
    if (engine === undefined) throw new Error(NO_ENGINE)
    progress?.(`building ${target} with ${engine}`)
    const cache = new LayerCache(cacheDirectory)
    const options = { engine, cache, platform, signal, progress, onOutput }
    const image = await buildDockerfile(this.#directory, build, options)
    const context = resolve(this.#directory, build.context ?? '.')
    const folder = (await this.#isInside(context)) ? context : this.#directory
    const repository = this.#repositoryOf(folder, target)
    return { repository, builtFrom: 'dockerfile', image, contents: undefined }
  }

  #findEngine(): Promise<ContainerEngine | undefined> {
    this.#engine ??= findContainerEngine(this.#options.signal)
    return this.#engine
  }

  /** Whether a folder is in the agent's, also without links. */
  async #isInside(folder: string): Promise<boolean> {
    const place = await realpath(folder).catch(() => folder)
    const isThere = isInside(await realpath(this.#directory), place)
    return isThere && isInside(this.#directory, folder)
  }

  #repositoryOf(folder: string, target: string): string {
    const name = basename(this.#directory)
    const inside = relative(this.#directory, folder)
    return repositoryOf(inside === '' ? name : `${name}-${inside}`, target)
  }
}
