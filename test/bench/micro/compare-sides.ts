import { median, rounded } from '../support/compare.ts'
import type { SideProcess } from './side-process.ts'
import type { Usage } from './side.ts'

/** How often and how long to measure. */
export interface Rounds {
  readonly rounds: number
  readonly roundMs: number
}

/** One side of a comparison: ours, or a library. */
export interface Contender {
  readonly name: string
  /** The processes to measure, by their part in the operation, e.g. `client` and `server`. */
  readonly processes: Readonly<Record<string, SideProcess>>
  /** Does operations for about this long and returns how many. */
  readonly work: (roundMs: number) => Promise<number>
}

/** The cost of one operation. */
interface Cost {
  readonly cpuUs: number
  readonly heapBytes: number
  readonly elapsedUs: number
}

/** The costs of each part, one for each round. */
type Costs = ReadonlyMap<string, Cost[]>

const WARM_UP_ROUNDS = 3

/**
 * Measures all contenders, round by round, so that other load on the machine affects them alike.
 * Yields one figure for each library and each part: ours, the first contender, compared with it.
 */
export async function* compareSides(
  name: string,
  [ours, ...libraries]: readonly [Contender, ...Contender[]],
  { rounds, roundMs }: Rounds,
): AsyncGenerator<object> {
  const contenders = [ours, ...libraries]
  const costs = new Map(contenders.map((contender) => [contender, startCosts(contender)]))
  for (const contender of contenders)
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await contender.work(roundMs)
  for (let round = 0; round < rounds; round += 1) {
    // The first contender after a pause is at a disadvantage, so each one is first in turn.
    const first = round % contenders.length
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)])
      await measure(contender, roundMs, costs.get(contender))
  }
  for (const library of libraries)
    for (const part of Object.keys(ours.processes))
      yield figure(part === '' ? name : `${name}, ${part}`, library.name, {
        ours: costs.get(ours)?.get(part) ?? [],
        library: costs.get(library)?.get(part) ?? [],
      })
}

function startCosts({ processes }: Contender): Costs {
  return new Map(Object.keys(processes).map((part) => [part, []]))
}

async function measure(
  { processes, work }: Contender,
  roundMs: number,
  costs: Costs | undefined,
): Promise<void> {
  const usages = async () =>
    await Promise.all(
      Object.entries(processes).map(async ([part, process]): Promise<[string, Usage]> => [
        part,
        await process.run(0),
      ]),
    )
  const before = new Map(await usages())
  const startedAt = performance.now()
  const operations = await work(roundMs)
  const elapsedUs = ((performance.now() - startedAt) * 1000) / operations
  for (const [part, after] of await usages()) {
    const { cpuUs = 0, heapBytes = 0 } = before.get(part) ?? {}
    costs?.get(part)?.push({
      cpuUs: (after.cpuUs - cpuUs) / operations,
      heapBytes: (after.heapBytes - heapBytes) / operations,
      elapsedUs,
    })
  }
}

function figure(
  name: string,
  libraryName: string,
  { ours, library }: Readonly<Record<'ours' | 'library', readonly Cost[]>>,
): object {
  const ratios = ours.map(({ cpuUs }, round) => cpuUs / (library[round]?.cpuUs ?? Number.NaN))
  const [oursShown, libraryShown] = [medians(ours), medians(library)]
  return {
    figure: name,
    compared_with: libraryName,
    ours: oursShown,
    library: libraryShown,
    ratio: rounded(median(ratios), 2),
    ratio_range: [rounded(Math.min(...ratios), 2), rounded(Math.max(...ratios), 2)],
    elapsed_ratio: rounded(oursShown.elapsed_us / libraryShown.elapsed_us, 2),
    heap_ratio: rounded(oursShown.heap_bytes / libraryShown.heap_bytes, 2),
  }
}

function medians(costs: readonly Cost[]) {
  return {
    cpu_us: rounded(median(costs.map(({ cpuUs }) => cpuUs)), 2),
    heap_bytes: Math.round(median(costs.map(({ heapBytes }) => heapBytes))),
    elapsed_us: rounded(median(costs.map(({ elapsedUs }) => elapsedUs)), 2),
  }
}
