import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PlatformName } from '../base/platform.ts'
import type { LayerCache } from '../image/layer-cache.ts'
import type { Image } from '../image/oci.ts'
import { secretLines } from '../program/source-tree.ts'
import { firstNames, type Progress } from '../progress.ts'
import { runProgram } from '../run-program.ts'
import { contextWithoutSecrets } from './build-context.ts'
import type { ContainerEngine } from './container-engine.ts'
import { readEngineArchive } from './engine-archive.ts'

/** A `build` of an agent spec, as the format defines it. */
export interface DockerfileBuild {
  readonly context?: string
  readonly dockerfile?: string
  readonly target?: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly secrets?: readonly { readonly id: string; readonly env?: string }[]
}

/** What an image is built with. */
export interface EngineOptions {
  readonly engine: ContainerEngine
  readonly cache: LayerCache
  /** Default: that of the engine. */
  readonly platform?: PlatformName | undefined
  readonly signal?: AbortSignal | undefined
  readonly progress?: Progress | undefined
  readonly onOutput?: ((line: string) => void) | undefined
}

/**
 * Builds an image from a Dockerfile, and takes it from the engine. Paths are relative to `folder`.
 * The engine gets no files of secrets.
 * The digest of the image's configuration identifies its content.
 */
export async function buildDockerfile(
  folder: string,
  build: DockerfileBuild,
  options: EngineOptions,
): Promise<Image> {
  const { engine, cache, signal } = options
  const context = resolve(folder, build.context ?? '.')
  const name = createHash('sha256').update(JSON.stringify([context, build, options.platform]))
  // The tag stays: without an image, podman forgets its layers, and the next build of the same
  // sources takes as long as the first and has another id.
  const tag = `slipway-build:${name.digest('hex').slice(0, 12)}`
  await using staged = await contextWithoutSecrets(
    context,
    dockerfileOf(folder, build),
    cache.directory,
  )
  const { secrets } = staged
  for (const line of secretLines(secrets)) options.progress?.(line)
  if (staged.logins.length > 0)
    options.progress?.(
      `warning: what the Dockerfile copies is in the image with the logins in it: ` +
        `${firstNames(staged.logins, 10)}; name a variable there, and give it to the build with ` +
        '"secrets" in astroai.yml and RUN --mount=type=secret',
    )
  await run(options, [
    'build',
    `--tag=${tag}`,
    `--file=${dockerfileOf(folder, build)}`,
    // Without it, buildah repeats every step, and the same sources have another id.
    ...(engine === 'buildah' ? ['--layers'] : []),
    ...(options.platform === undefined ? [] : [`--platform=${options.platform}`]),
    ...(build.target === undefined ? [] : [`--target=${build.target}`]),
    ...Object.entries(build.args ?? {}).map(
      ([key, value]) => `--build-arg=${key}=${String(value)}`,
    ),
    ...(build.secrets ?? []).map(({ id, env = id }) => `--secret=id=${id},env=${env}`),
    staged.folder,
  ]).catch((cause: unknown) => {
    if (secrets.length === 0 || !(cause instanceof Error)) throw cause
    throw new Error(
      `${cause.message}\nIf a file is missing: ${secretLines(secrets).join('')}. Give it to the ` +
        'build with "secrets" in astroai.yml and RUN --mount=type=secret',
      { cause },
    )
  })
  await mkdir(cache.directory, { recursive: true })
  const temporary = await mkdtemp(join(cache.directory, '.engine-'))
  try {
    const archive = join(temporary, 'image.tar')
    await run(options, saveCommand(engine, tag, archive))
    return await readEngineArchive(archive, temporary, cache, signal)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Returns the Dockerfile of a build, which is relative to the build's context. */
export function dockerfileOf(folder: string, build: DockerfileBuild): string {
  return resolve(folder, build.context ?? '.', build.dockerfile ?? 'Dockerfile')
}

function saveCommand(engine: ContainerEngine, tag: string, archive: string): readonly string[] {
  if (engine === 'buildah') return ['push', '--quiet', tag, `docker-archive:${archive}:${tag}`]
  const format = engine === 'podman' ? ['--format=docker-archive'] : []
  return ['save', ...format, '--output', archive, tag]
}

async function run(
  { engine, signal, onOutput }: EngineOptions,
  args: readonly string[],
): Promise<void> {
  const missing = `${engine} is not installed`
  await runProgram(engine, args, { signal, onLine: onOutput, withStdout: true, missing })
}
