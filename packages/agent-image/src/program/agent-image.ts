import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { BaseLock } from '../base/base-lock.ts'
import type { Language } from '../base/base-options.ts'
import { defaultPlatform, parsePlatform, type PlatformName } from '../base/platform.ts'
import { checkImage } from '../checks/image-checks.ts'
import { imageContents, type ImageContents } from '../checks/image-contents.ts'
import { LayerCache } from '../image/layer-cache.ts'
import { assembleImage, type Image } from '../image/oci.ts'
import type { Progress } from '../progress.ts'
import { pushImage } from '../registry/push-image.ts'
import type { RegistryAccess } from '../registry/registry-client.ts'
import { parseRegistry } from '../registry/registry-location.ts'
import { foreignManagers } from './foreign-managers.ts'
import type { AskedStart, FirstProgram, Program, ProgramOptions } from './program.ts'

/** What shows that a folder has a Python program. */
const PYTHON_FILES = [
  'requirements.txt',
  'pyproject.toml',
  'setup.py',
  'agent.py',
  'main.py',
  'app.py',
  'src/main.py',
]

/** What builds the layers of a program. Only the parts of its language are loaded. */
const programs: Readonly<Record<Language, () => Promise<BuildProgram>>> = {
  node: async () => (await import('./node.ts')).nodeProgram,
  python: async () => (await import('./python.ts')).pythonProgram,
}

type BuildProgram = (folder: string, options: ProgramOptions) => Promise<Program>

/** Registries take 255 letters, with the path of the registry. */
const LONGEST_REPOSITORY = 150

/** How to build the images of a program. */
export interface BuilderOptions extends RegistryAccess {
  /** An image, or `packages` for Debian packages. Default: SLIPWAY_BASE, or else a public image. */
  readonly base?: string | undefined
  /** Records what the tags of public images have now. */
  readonly updateBase?: boolean | undefined
  /** The recorded digests of public images. Default: none, so the tags are looked up. */
  readonly lock?: BaseLock | undefined
  /** Default: `defaultPlatform()`. */
  readonly platform?: PlatformName | undefined
  /** Directory that keeps layers between runs. Default: `defaultCacheDirectory()`. */
  readonly cacheDirectory?: string | undefined
  readonly progress?: Progress | undefined
  /** The first program that will be built, so that a mistake is found early. */
  readonly first?: FirstProgram | undefined
  /** Receives each line of the programs that do the work, for example pip. */
  readonly onOutput?: ((line: string) => void) | undefined
}

/** Options for building and pushing an image. */
export interface AgentImageOptions extends BuilderOptions {
  /** The registry, as `host:port` or with a path. */
  readonly registry: string
  /** The program that the image starts. Default: `agent`. */
  readonly target?: string
  /** Default: a hash of the content. */
  readonly tag?: string
  /** The user that the image sets, by number or name; empty means root. Default: 1000. */
  readonly user?: string
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
export interface AssembledImage {
  repository: string
  /** Twelve hex digits: a hash of base, language, dependencies, sources and start command. */
  contentId: string
  /** The name of the base: an image with its digest, or `packages`. */
  baseName: string
  image: Image
}

/** Holds the layers of an agent. The images of its programs differ only by start command. */
export class AgentImageBuilder {
  readonly #name: string
  readonly #program: Program
  readonly #options: ProgramOptions

  private constructor(name: string, program: Program, options: ProgramOptions) {
    this.#name = name
    this.#program = program
    this.#options = options
  }

  /**
   * Builds the layers of the agent in `directory`, or takes them from the cache: a Node.js package,
   * or a Python program. The layer that changes most often comes last.
   */
  static async open(directory: string, options: BuilderOptions): Promise<AgentImageBuilder> {
    const folder = resolve(directory)
    const platform = parsePlatform(options.platform ?? defaultPlatform())
    const build = await programs[requireLanguage(folder)]()
    const programOptions = {
      ...options,
      platform,
      cache: new LayerCache(options.cacheDirectory),
      progress: options.progress ?? (() => {}),
    }
    const program = await build(folder, programOptions)
    // Named after the folder, because npm names can have a scope.
    return new AgentImageBuilder(basename(folder), program, programOptions)
  }

  /** Returns the image that starts this program. Throws if its container certainly can't start. */
  async build(target: string, user?: string, asked?: AskedStart): Promise<AssembledImage> {
    const { base, own, leftOut, startOf } = this.#program
    const { platform, progress } = this.#options
    const assembled = this.assemble(target, user, asked)
    const layers = own.map(({ layer }) => layer)
    const image = {
      base: base.layers,
      own: layers,
      start: startOf(target, asked),
      platform,
      leftOut,
    }
    for (const line of await checkImage(image, this.#options)) progress(line)
    return assembled
  }

  /** Lists what the layers above the base have, and what is left out. */
  readonly contents = async (): Promise<ImageContents> => {
    const { own, leftOut } = this.#program
    return await imageContents(own, leftOut, this.#options.cache)
  }

  /** Returns the image that starts this program, without checking it. */
  assemble(target: string, user = '1000', asked?: AskedStart): AssembledImage {
    const { base, own, startOf } = this.#program
    const layers = [...base.layers, ...own.map(({ layer }) => layer)]
    const image = assembleImage(layers, { ...startOf(target, asked), user }, this.#options.platform)
    const contentId = image.config.digest.slice('sha256:'.length).slice(0, 12)
    return { repository: repositoryOf(this.#name, target), contentId, baseName: base.name, image }
  }
}

/**
 * Returns the repository of an agent's program. `name` is that of its folder, which may have no
 * letter that registries know, or more than they take.
 */
export function repositoryOf(name: string, target: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const plain = plainName(name) || `agent-${hash}`
  const full = target === 'agent' ? plain : plainName(`${plain}-${target}`)
  return full.length <= LONGEST_REPOSITORY
    ? full
    : plainName(`${full.slice(0, LONGEST_REPOSITORY - 9)}-${hash}`)
}

function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Returns the language of the program in a folder; undefined if there is none. */
export function languageOf(folder: string): Language | undefined {
  if (existsSync(join(folder, 'package.json'))) return 'node'
  return PYTHON_FILES.some((name) => existsSync(join(folder, name))) ? 'python' : undefined
}

function requireLanguage(folder: string): Language {
  const language = languageOf(folder)
  if (language !== undefined) return language
  const foreign = foreignManagers((name) => existsSync(join(folder, name)))
  throw new Error(
    `${folder} has no package.json, and none of ${PYTHON_FILES.join(', ')}` +
      (foreign === undefined ? '' : `. ${foreign}`),
  )
}

/** Builds an image of one program of the agent in `directory` and pushes it. */
export async function buildAgentImage(
  directory: string,
  options: AgentImageOptions,
): Promise<AgentImage> {
  const { target = 'agent', registry } = options
  const { prefix } = parseRegistry(registry)
  const builder = await AgentImageBuilder.open(directory, options)
  const { repository, contentId, image } = await builder.build(target, options.user)
  const tag = options.tag ?? contentId
  const { digest, pushed } = await pushImage(registry, repository, tag, image, options)
  return { target, repository, tag, reference: `${prefix}${repository}:${tag}`, digest, pushed }
}
