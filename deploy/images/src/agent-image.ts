import {
  APPLICATION_PATH,
  packageEntries,
  readApplication,
  type Application,
} from './application.ts'
import { LayerCache } from './layer-cache.ts'
import { productionDependencies } from './node-modules.ts'
import { assembleImage, type Image, type Layer } from './oci.ts'
import type { Progress } from './progress.ts'
import { pushImage } from './registry.ts'
import { nodeRuntime } from './runtime.ts'

/** Options for building and pushing an image. */
export interface AgentImageOptions {
  /** `host:port` of the registry. */
  registry: string
  /** The program that the image starts, a name in package.json's `bin`. Default: `agent`. */
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
  /** Twelve hex digits: a hash of base, Node.js, dependencies, sources and start command. */
  contentId: string
  image: Image
}

/** Holds the layers of an agent. The images of its programs differ only by start command. */
export class AgentImageBuilder {
  readonly #application: Application
  readonly #layers: Layer[]

  private constructor(application: Application, layers: Layer[]) {
    this.#application = application
    this.#layers = layers
  }

  /**
   * Builds the layers of the package in `directory`, or takes them from the cache. The layer that
   * changes most often comes last.
   */
  static async open(
    directory: string,
    options: { cacheDirectory?: string; progress?: Progress },
  ): Promise<AgentImageBuilder> {
    const application = await readApplication(directory)
    const cache = new LayerCache(options.cacheDirectory)
    const runtime = await nodeRuntime(cache, options.progress ?? (() => {}))
    const modules = await productionDependencies(
      application.folder,
      `${APPLICATION_PATH}/node_modules`,
    )
    const dependencies = await cache.layer(modules.entries)
    const sources = await cache.layer(await packageEntries(application.folder, APPLICATION_PATH))
    return new AgentImageBuilder(application, [...runtime.layers, dependencies, sources])
  }

  /** Returns the image that starts this program of package.json's `bin`. */
  assemble(target: string, user = '1000'): BuiltImage {
    const { name, programs } = this.#application
    const program = programs[target]
    if (!program) {
      const known = Object.keys(programs).join(', ')
      throw new Error(`${name} has no program ${target}; "bin" in its package.json has: ${known}`)
    }
    const image = assembleImage(this.#layers, {
      entrypoint: ['node', program.replace(/^\.\//, '')],
      environment: { NODE_ENV: 'production', NODE_VERSION: process.versions.node },
      user,
      workingDirectory: `/${APPLICATION_PATH}`,
    })
    const contentId = image.config.digest.slice('sha256:'.length).slice(0, 12)
    return { repository: target === 'agent' ? name : `${name}-${target}`, contentId, image }
  }
}

/** Builds an image of one program of the agent in `directory` and pushes it. */
export async function buildAgentImage(
  directory: string,
  options: AgentImageOptions,
): Promise<AgentImage> {
  const { target = 'agent', registry, progress = () => {} } = options
  const builder = await AgentImageBuilder.open(directory, options)
  const { repository, contentId, image } = builder.assemble(target, options.user)
  const tag = options.tag ?? contentId
  const { digest, pushed } = await pushImage(registry, repository, tag, image, progress)
  return { target, repository, tag, reference: `${registry}/${repository}:${tag}`, digest, pushed }
}
