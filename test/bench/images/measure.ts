import { execFileSync } from 'node:child_process'
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { preparedProject } from '@slipway/agent-image/corpus'

import { median, rounded } from '../support/compare.ts'
import type { BenchProject } from './projects.ts'
import { buildahSide, removeFolder, slipwaySide, type Built, type Side } from './sides.ts'
import type { ImageStage } from './stage.ts'

/**
 * What has changed before a build, and how many times faster Slipway must be at least. The cases
 * follow on each other.
 */
const GOALS = { cold: 1, warm: 5, source: 5, dependency: undefined } as const

type Case = keyof typeof GOALS

const CASES = Object.keys(GOALS) as Case[]
const SIDES = ['slipway', 'buildah'] as const

/** The result of a case. */
export interface ImageFigure {
  readonly project: string
  readonly case: Case
  readonly rounds: number
  /** Medians. */
  readonly slipway_ms: number
  readonly buildah_ms: number
  readonly slipway_cpu_ms: number
  readonly buildah_cpu_ms: number
  /** The time of buildah divided by that of Slipway. */
  readonly times_faster: number
  readonly goal?: number
  readonly met?: boolean
}

/** Builds a project with both, in each round without caches at first. */
export async function measureProject(
  stage: ImageStage,
  bench: BenchProject,
  rounds: number,
): Promise<ImageFigure[]> {
  const { name } = bench.project
  const builds = new Map(CASES.map((each) => [each, { slipway: [], buildah: [] } as Builds]))
  for (let round = 0; round < rounds; round += 1) {
    const place = join(stage.directory, `${name}-${round}`)
    try {
      await measureRound(stage, bench, { place, round }, builds)
    } finally {
      await removeFolder(place)
    }
  }
  return CASES.map((each): ImageFigure => {
    const { slipway = [], buildah = [] } = builds.get(each) ?? {}
    const [own, other] = [slipway, buildah].map((all) => median(all.map(({ ms }) => ms))) as [
      number,
      number,
    ]
    const cpuMs = (all: readonly Built[]) => Math.round(median(all.map((built) => built.cpuMs)))
    const goal = GOALS[each]
    return {
      project: name,
      case: each,
      rounds,
      slipway_ms: Math.round(own),
      buildah_ms: Math.round(other),
      slipway_cpu_ms: cpuMs(slipway),
      buildah_cpu_ms: cpuMs(buildah),
      times_faster: rounded(other / own, 1),
      ...(goal !== undefined && { goal, met: other / own >= goal }),
    }
  })
}

type Builds = Record<(typeof SIDES)[number], Built[]>

async function measureRound(
  stage: ImageStage,
  bench: BenchProject,
  { place, round }: { readonly place: string; readonly round: number },
  builds: ReadonlyMap<Case, Builds>,
): Promise<void> {
  for (const name of SIDES) await mkdir(join(place, name), { recursive: true })
  const sides: Record<(typeof SIDES)[number], Side> = {
    slipway: await slipwaySide(stage, bench, join(place, 'slipway')),
    buildah: await buildahSide(stage, bench, join(place, 'buildah')),
  }
  const folder = join(place, bench.project.name)
  const ids: Record<(typeof SIDES)[number], string[]> = { slipway: [], buildah: [] }
  for (const [index, each] of CASES.entries()) {
    await change(folder, bench, each)
    // A busy moment affects both, and each is first as often as the other.
    for (const name of (round + index) % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const built = await sides[name].build(folder)
      ids[name].push(built.id)
      builds.get(each)?.[name].push(built)
    }
  }
  for (const name of SIDES) {
    const [cold, warm, ...changed] = ids[name]
    if (cold !== warm || new Set([cold, ...changed]).size !== CASES.length - 1)
      throw new Error(`${name} built other images than the cases have: ${ids[name].join(' ')}`)
  }
}

async function change(folder: string, bench: BenchProject, name: Case): Promise<void> {
  if (name === 'source') return await appendFile(join(folder, bench.source), bench.line)
  if (name === 'warm') return
  const { root } = await preparedProject(name === 'cold' ? bench.project : bench.extended)
  await cp(root, folder, { recursive: true, force: true })
  if (name !== 'cold') return
  await writeFile(join(folder, 'Dockerfile'), bench.dockerfile)
  await writeFile(join(folder, '.dockerignore'), '.git\nnode_modules\n.venv\nDockerfile\n')
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
}
