import { isHourIn, partsOutside } from '../domain/hours.ts'
import type { TraceRange } from '../domain/trace-range.ts'
import type { TraceReader } from '../store/trace-store.ts'
import type { KnownHours } from './known-hours.ts'
import type { TraceScope } from './traces-sql.ts'

/** Where the newest traces of a range are. */
export interface NewestParts {
  /** The parts of the range with the wanted traces; the other parts are past hours. */
  readonly parts: readonly TraceRange[]
  /** The number of traces in the other parts. */
  readonly otherCount: number
}

/** Finds the parts of a range with its newest traces, at least `wanted` of them if there are. */
export async function findNewestParts(
  reader: TraceReader,
  scope: TraceScope,
  { knownHours, wanted }: { knownHours: KnownHours; wanted: number },
): Promise<NewestParts> {
  const past = [...(await knownHours.past(reader, scope))]
  let count = 0
  const first = past.findLastIndex(([, totals]) => {
    count += totals.count
    return count >= wanted
  })
  const older = past.slice(0, Math.max(0, first))
  const parts = partsOutside(
    scope.range,
    older.map(([hour]) => hour),
  )
  const others = older.filter(([hour]) => !isHourIn(hour, parts))
  return { parts, otherCount: others.reduce((sum, [, totals]) => sum + totals.count, 0) }
}
