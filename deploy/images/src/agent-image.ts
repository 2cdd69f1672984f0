import {
  APPLICATION_PATH,
  applicationEntries,
  readApplication,
  type Application,
} from './application.ts'
import { debianLayer } from './debian.ts'
import { LayerCache } from './layer-cache.ts'
import { nodeLayer } from './node.ts'
import { productionDependencies } from './node-modules.ts'
import { assembleImage, type Image, type Layer } from './oci.ts'
import type { Progress } from './progress.ts'
import { pushImage } from './registry.ts'

/** What node and most native packages link against. */
const BASE_PACKAGES = ['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6']

/** Where to push to, and how to go about it. */
export interface AgentImageOptions {
  /** `host:port` of the registry. */
  registry: string
  /** Program of the image: a name of package.json's `bin`. */
  target?: string
  /** Tag instead of the content's own. */
  tag?: string
  /**
   * User that the image is made for, by number or name; empty is root. 1000 unless told otherwise.
   */
  user?: string
  /** Where layers are kept between runs. */
  cacheDirectory?: string
  progress?: Progress
}

/** An image in the registry. */
export interface AgentImage {
  target: string
  repository: string
  tag: string
  /** `registry/repository:tag`, what a pod names. */
  reference: string
  digest: string
  /** False when the registry had it already. */
  pushed: boolean
}

/** An image of one program of an agent in TypeScript, not pushed yet. */
export interface BuiltImage {
  repository: string
  /** Twelve hex digits of its content: base, Node.js, dependencies, sources, start command. */
  contentId: string
  image: Image
}

/**
 * The layers of one agent, made once for all its programs: they differ by their start command only.
 */
export class AgentImageBuilder {
  readonly #application: Application
  readonly #layers: Layer[]

  private constructor(application: Application, layers: Layer[]) {
    this.#application = application
    this.#layers = layers
  }

  /**
   * Makes the layers of the package in `directory`, or takes them from the cache. What changes most
   * comes last.
   */
  static async open(
    directory: string,
    options: { cacheDirectory?: string; progress?: Progress },
  ): Promise<AgentImageBuilder> {
    const application = await readApplication(directory)
    const cache = new LayerCache(options.cacheDirectory)
    const base = await debianLayer(cache, BASE_PACKAGES, options.progress ?? (() => {}))
    const node = await nodeLayer(cache)
    const modules = await productionDependencies(
      application.folder,
      `${APPLICATION_PATH}/node_modules`,
    )
    const dependencies = await cache.layer(modules)
    const sources = await cache.layer(await applicationEntries(application))
    return new AgentImageBuilder(application, [base, node, dependencies, sources])
  }

  /** The image that starts this program of package.json's `bin`. */
  assemble(target: string, user = '1000'): BuiltImage {
    const { name, programs } = this.#application
    const program = programs[target]
    if (!program) {
      throw new Error(
        `${name} has no program ${target} (package.json "bin" has: ${Object.keys(programs).join(', ')})`,
      )
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

/**
 * Builds one program of the agent in `directory` as an image and pushes it, tagged by its content
 * unless told otherwise.
 */
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
