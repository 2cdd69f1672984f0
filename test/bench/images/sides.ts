import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import type { BenchProject } from './projects.ts'
import { reaching, storageOptions, type ImageStage } from './stage.ts'

/** A program that builds images. */
export interface Side {
  build(folder: string): Promise<Built>
}

/** What a build has made, and taken. */
export interface Built {
  /** Identifies the image. */
  readonly id: string
  readonly ms: number
  /** The processor time of all its processes, which is steady on busy machines. */
  readonly cpuMs: number
}

/** Removes a folder of the bench. A build that failed leaves what buildah has mounted there. */
export async function removeFolder(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1])
  for (const place of mounts.reverse())
    if (place?.startsWith(`${folder}/`) === true) execFileSync('umount', [place])
  await rm(folder, { recursive: true, force: true })
}

/** `slipway build`, with the base in its cache and nothing else. */
export async function slipwaySide(
  { program, cacheDirectory }: ImageStage,
  { project }: BenchProject,
  place: string,
): Promise<Side> {
  const home = join(place, 'home')
  await cp(cacheDirectory, join(home, '.cache/slipway/images'), { recursive: true })
  const { PATH = '' } = process.env
  const env = { ...reaching(), HOME: home, PATH: `${dirname(process.execPath)}:${PATH}` }
  const start = [process.execPath, program, 'build']
  const options = ['--json', '--from=project', '--base=packages', '--registry=127.0.0.1:5000']
  return {
    async build(folder) {
      const agent = join(folder, project.folder ?? '')
      const { output, ...times } = await run([...start, agent, ...options], env)
      return { ...times, id: (JSON.parse(output) as { build_id: string }).build_id }
    },
  }
}

/** `buildah build`, with the base in its storage and nothing else. */
export async function buildahSide(
  { storage }: ImageStage,
  { project: { language } }: BenchProject,
  place: string,
): Promise<Side> {
  // Caches of mounts are in the folder for temporary files.
  const temporary = join(place, 'temporary')
  await mkdir(temporary)
  const files = Object.values(reaching()).filter((value) => value.startsWith('/'))
  const args = [
    'buildah',
    ...storageOptions(place),
    `--storage-opt=overlay.imagestore=${storage}/root`,
    'build',
    '--layers',
    '--isolation=chroot',
    `--build-arg=BASE=localhost/base-${language}:1`,
    ...new Set(files.map((file) => `--volume=${file}:${file}:ro`)),
  ]
  const { PATH } = process.env
  return {
    async build(folder) {
      const file = join(place, 'image-id')
      const command = [...args, `--iidfile=${file}`, folder]
      const { ms, cpuMs } = await run(command, { PATH, TMPDIR: temporary })
      return { id: await readFile(file, 'utf8'), ms, cpuMs }
    },
  }
}

/** Runs a command, and then writes the processor time of its processes to the file 3. */
const TIMED = '"$@"; code=$?; times >&3; exit $code'

async function run(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Omit<Built, 'id'> & { readonly output: string }> {
  const start = performance.now()
  const child = spawn('sh', ['-c', TIMED, 'sh', ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const all = child.stdio.slice(1, 4).map((stream) => text(stream as Readable))
  const [output = '', errors = '', times = ''] = await Promise.all(all)
  if (child.exitCode === null) await once(child, 'exit')
  const ms = performance.now() - start
  if (child.exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${output}${errors}`)
  return { output, ms, cpuMs: cpuMsIn(times) }
}

/** The second line has the times of processes that have ended, as `0m1.25s 0m0.50s`. */
function cpuMsIn(times: string): number {
  const [, children = ''] = times.split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  )
}
