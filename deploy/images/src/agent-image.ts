import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { APPLICATION_PATH, packageEntries, readApplication } from './application.ts'
import { LayerCache } from './layer-cache.ts'
import { nodeDependencies } from './node-dependencies.ts'
import { assembleImage, type Image, type ImageConfig, type Layer } from './oci.ts'
import type { Progress } from './progress.ts'
import { pythonLayers } from './python-image.ts'
import { pushImage } from './registry.ts'
import { parseRegistry } from './registry-location.ts'
import { nodeRuntime } from './runtime.ts'
import { sourceEntries } from './source-files.ts'

/** Options for building and pushing an image. */
export interface AgentImageOptions {
  /** The registry, as `host:port` or with a path. */
  registry: string
  /** The program that the image starts. Default: `agent`. */
  target?: string
  /** Default: a hash of the content. */
  tag?: string
  /** The user that the image sets, by number or name; empty means root. Default: 1000. */
  user?: string
  /** Directory that keeps layers between runs. Default: `defaultCacheDirectory()`. */
  cacheDirectory?: string
  progress?: Progress
}

/** An image in the registry. */
export interface AgentImage {
  target: string
  repository: string
  tag: string
  /** `registry/repository:tag`, as in a pod's spec. */
  reference: string
  digest: string
  /** False if the registry already had the image. */
  pushed: boolean
}

/** An image of one program of an agent, not pushed yet. */
export interface BuiltImage {
  repository: string
  /** Twelve hex digits: a hash of base, language, dependencies, sources and start command. */
  contentId: string
  image: Image
}

/** The layers of an agent, and how its programs start. */
interface Program {
  readonly layers: readonly Layer[]
  /** Throws if there is no such program. */
  readonly configOf: (target: string) => Omit<ImageConfig, 'user'>
}

/** Holds the layers of an agent. The images of its programs differ only by start command. */
export class AgentImageBuilder {
  readonly #name: string
  readonly #program: Program

  private constructor(name: string, program: Program) {
    this.#name = name
    this.#program = program
  }

  /**
   * Builds the layers of the agent in `directory`, or takes them from the cache: a Node.js package,
   * or a Python program. The layer that changes most often comes last.
   */
  static async open(
    directory: string,
    options: { cacheDirectory?: string; progress?: Progress },
  ): Promise<AgentImageBuilder> {
    const folder = resolve(directory)
    const cache = new LayerCache(options.cacheDirectory)
    const progress = options.progress ?? (() => {})
    const build = { node: nodeLayers, python: pythonLayers }[requireLanguage(folder)]
    // Named after the folder, because npm names can have a scope.
    return new AgentImageBuilder(basename(folder), await build(folder, cache, progress))
  }

  /** Returns the image that starts this program. */
  assemble(target: string, user = '1000'): BuiltImage {
    const image = assembleImage([...this.#program.layers], {
      ...this.#program.configOf(target),
      user,
    })
    const contentId = image.config.digest.slice('sha256:'.length).slice(0, 12)
    return { repository: repositoryOf(this.#name, target), contentId, image }
  }
}

/** Returns the repository of an agent's program. */
export function repositoryOf(name: string, target: string): string {
  const text = target === 'agent' ? name : `${name}-${target}`
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Returns the language of the program in a folder; undefined if there is none. */
export function languageOf(folder: string): 'node' | 'python' | undefined {
  if (existsSync(join(folder, 'package.json'))) return 'node'
  const isPython = ['requirements.txt', 'main.py', 'agent.py', 'app.py', 'src/main.py'].some(
    (name) => existsSync(join(folder, name)),
  )
  return isPython ? 'python' : undefined
}

function requireLanguage(folder: string): 'node' | 'python' {
  const language = languageOf(folder)
  if (language !== undefined) return language
  const hint = readdirSync(folder).includes('pyproject.toml')
    ? '; write the dependencies of pyproject.toml to a requirements.txt'
    : ''
  throw new Error(`${folder} has no package.json, requirements.txt or main.py${hint}`)
}

async function nodeLayers(folder: string, cache: LayerCache, progress: Progress): Promise<Program> {
  const { programs, hasFiles } = await readApplication(folder)
  const runtime = await nodeRuntime(cache, progress)
  const dependencies = await cache.layer(await nodeDependencies(folder, APPLICATION_PATH))
  const sources = await (hasFiles ? packageEntries : sourceEntries)(folder, APPLICATION_PATH)
  return {
    layers: [...runtime.layers, dependencies, await cache.layer(sources)],
    configOf(target) {
      const program = programs[target]
      if (program === undefined) {
        const known = Object.keys(programs).join(', ')
        throw new Error(`${folder} has no program ${target}; its package.json has: ${known}`)
      }
      return {
        entrypoint: ['node', program.replace(/^\.\//, '')],
        environment: { NODE_ENV: 'production', NODE_VERSION: process.versions.node },
        workingDirectory: `/${APPLICATION_PATH}`,
      }
    },
  }
}

/** Builds an image of one program of the agent in `directory` and pushes it. */
export async function buildAgentImage(
  directory: string,
  options: AgentImageOptions,
): Promise<AgentImage> {
  const { target = 'agent', registry, progress = () => {} } = options
  const { prefix } = parseRegistry(registry)
  const builder = await AgentImageBuilder.open(directory, options)
  const { repository, contentId, image } = builder.assemble(target, options.user)
  const tag = options.tag ?? contentId
  const { digest, pushed } = await pushImage(registry, repository, tag, image, progress)
  return { target, repository, tag, reference: `${prefix}${repository}:${tag}`, digest, pushed }
}
