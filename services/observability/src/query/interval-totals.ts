import type { BucketRange } from '../domain/buckets.ts'
import { HOUR_NS } from '../domain/hours.ts'
import { combineTotals } from '../domain/totals.ts'
import type { TraceReader } from '../store/trace-store.ts'
import type { KnownHours } from './known-hours.ts'
import { sumTracesByInterval, type GroupedTotals } from './trace-totals.ts'
import type { TraceScope } from './traces-sql.ts'

/**
 * Returns the totals of a scope by bucket, as `sumTracesByInterval`. Those of whole hours are
 * combined from the totals of hours.
 */
export async function sumByInterval(
  reader: TraceReader,
  scope: TraceScope,
  { knownHours, buckets }: { knownHours: KnownHours; buckets: Pick<BucketRange, 'intervalNs'> },
): Promise<GroupedTotals<number>> {
  const { intervalNs } = buckets
  if (intervalNs % HOUR_NS !== 0n) return await sumTracesByInterval(reader, scope, intervalNs)
  const { hours, isEstimate } = await knownHours.read(reader, scope)
  const hoursOfBucket = Number(intervalNs / HOUR_NS)
  const byBucket = Map.groupBy(hours, ([hour]) => Math.floor(hour / hoursOfBucket))
  const totals = [...byBucket].flatMap(([bucket, members]) => {
    const combined = combineTotals(members.map(([, each]) => each))
    return combined.count === 0 ? [] : [[bucket, combined] as const]
  })
  return { totals: new Map(totals), isEstimate }
}
