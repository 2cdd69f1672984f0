import { createHash } from 'node:crypto'
import { spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const ENGINES = ['docker', 'podman'] as const

/** A program that builds images from Dockerfiles. */
export type ContainerEngine = (typeof ENGINES)[number]

/** A `build` of an agent spec, as the format defines it. */
export interface DockerfileBuild {
  readonly context?: string
  readonly dockerfile?: string
  readonly target?: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly secrets?: readonly { readonly id: string; readonly env?: string }[]
}

/** Returns the first container engine of this machine that works. Throws if there is none. */
export function findEngine(): ContainerEngine {
  const found = ENGINES.find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0)
  if (found !== undefined) return found
  throw new Error('building from a Dockerfile needs docker or podman, with its service running')
}

/**
 * Builds an image from a Dockerfile, and writes it as an archive that can be pushed. Paths are
 * relative to `folder`. Returns the id of the image, which identifies its content.
 */
export async function buildDockerfile(
  engine: ContainerEngine,
  folder: string,
  build: DockerfileBuild,
  archive: string,
): Promise<string> {
  const context = resolve(folder, build.context ?? '.')
  const dockerfile = dockerfileOf(folder, build)
  const name = createHash('sha256').update(JSON.stringify([context, build]))
  // The tag stays: without an image, podman forgets its layers, and the next build of the same
  // sources takes as long as the first and has another id.
  const tag = `slipway-build:${name.digest('hex').slice(0, 12)}`
  const args = [
    'build',
    `--tag=${tag}`,
    `--file=${dockerfile}`,
    ...(build.target === undefined ? [] : [`--target=${build.target}`]),
    ...Object.entries(build.args ?? {}).map(
      ([name, value]) => `--build-arg=${name}=${String(value)}`,
    ),
    ...(build.secrets ?? []).map(({ id, env = id }) => `--secret=id=${id},env=${env}`),
    context,
  ]
  await run(engine, args)
  await run(engine, ['save', '--output', archive, tag])
  return (await run(engine, ['image', 'inspect', '--format', '{{.Id}}', tag])).trim()
}

/** Returns the Dockerfile of a build, which is relative to the build's context. */
export function dockerfileOf(folder: string, build: DockerfileBuild): string {
  return resolve(folder, build.context ?? '.', build.dockerfile ?? 'Dockerfile')
}

/** Runs the engine, and shows what it reports on stderr. Returns its stdout. */
async function run(engine: ContainerEngine, args: readonly string[]): Promise<string> {
  const child = spawn(engine, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await new Promise<void>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => {
      if (code === 0) done()
      else fail(new Error(`${engine} ${args[0]} failed; its messages are above`))
    })
  })
  return output
}
