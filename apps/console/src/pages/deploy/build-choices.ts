import type { Schemas } from '@slipway/client'
import { localTime } from '@slipway/words/times'

import type { DeploySearch } from '../../address/search.ts'
import { CURRENT } from './deploy-values.ts'

/** The build that runs. */
export interface RunningBuild {
  readonly build: string
  readonly version: string | undefined
  /** The account that it is of, if that is another one than that of the builds to choose from. */
  readonly otherSource: string | undefined
}

/** The build of a deployment. `otherSource` is as in the result. */
export function runningBuild(
  deployment: Schemas['Deployment'] | undefined,
  otherSource: string | undefined,
): RunningBuild | undefined {
  if (deployment === undefined) return undefined
  return { build: deployment.build_id, version: deployment.version, otherSource }
}

/** A build to choose, with its place in the address of the page. */
export interface BuildOption {
  readonly search: DeploySearch
  readonly label: string
}

/** The builds to choose from, each once: the newest, the one that runs, then the others. */
export function buildOptions(
  versions: readonly Schemas['Version'][],
  running: RunningBuild | undefined,
): readonly BuildOption[] {
  const isRunning = ({ build_id: build }: Schemas['Version']) =>
    running !== undefined && running.otherSource === undefined && build === running.build
  const known = versions.find(isRunning)
  const others = versions.filter((each) => !isRunning(each))
  return [
    { search: {}, label: 'the newest' },
    ...(running === undefined
      ? []
      : [{ search: { build: CURRENT }, label: `${runningLabel(running, known)}; runs now` }]),
    ...others.map((each) => ({ search: searchOf(each), label: labelOf(each) })),
  ]
}

/** The option that the address of the page chooses; undefined if it is not one of them. */
export function chosenOption(
  options: readonly BuildOption[],
  search: DeploySearch,
  running: RunningBuild | undefined,
): BuildOption | undefined {
  const isRunning =
    running !== undefined &&
    running.otherSource === undefined &&
    ((search.build !== undefined && search.build === running.build) ||
      (search.version !== undefined && search.version === running.version))
  const wanted = isRunning ? { build: CURRENT } : search
  return options.find(
    (option) => option.search.build === wanted.build && option.search.version === wanted.version,
  )
}

function runningLabel(running: RunningBuild, known: Schemas['Version'] | undefined): string {
  const { build, version, otherSource } = running
  if (known !== undefined) return labelOf(known)
  const name = version === undefined ? build : `${version}, build ${build}`
  return otherSource === undefined ? name : `${name} of ${otherSource}`
}

function searchOf({ version, build_id: build }: Schemas['Version']): DeploySearch {
  return version === undefined ? { build } : { version }
}

function labelOf(build: Schemas['Version']): string {
  const { version, build_id: id, yanked, published_at: published, registered_at: since } = build
  const name = version === undefined ? id : `${version}, build ${id}`
  const time = published ?? since
  const when = time === undefined ? '' : `, ${localTime(time)}`
  return `${name}${yanked === true ? ' (yanked)' : ''}${when}`
}
