import { HOUR_NS } from '../domain/hours.ts'
import { RootRank } from '../domain/span.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import { numberOf, queryRows } from './query-rows.ts'
import { OWNED, ownerParameters } from './spans-sql.ts'

const CHANGED_HOURS = `
  SELECT DISTINCT intDiv(toUnixTimestamp64Nano(start_time), {hourNs:Int64}) AS hour
  FROM ${SPANS_TABLE}
  WHERE ${OWNED} AND (root_rank <= ${RootRank.UnknownParent} OR version > {since:UInt64})
    AND start_time >= fromUnixTimestamp64Nano({startNs:Int64}, 'UTC')
    AND start_time < fromUnixTimestamp64Nano({endNs:Int64}, 'UTC')
    AND trace_tail IN (
      SELECT trace_tail FROM ${SPANS_TABLE} WHERE ${OWNED} AND version > {since:UInt64})`

/**
 * Returns the hours from `first` to `last` in which a trace may be listed, or may have been, of
 * which a span has arrived after the version `since`.
 */
export async function readChangedHours(
  reader: TraceReader,
  owner: TracedAgent,
  { first, last, since }: { first: number; last: number; since: number },
): Promise<ReadonlySet<number>> {
  const rows = await queryRows(reader, CHANGED_HOURS, {
    ...ownerParameters(owner),
    startNs: BigInt(first) * HOUR_NS,
    endNs: BigInt(last + 1) * HOUR_NS,
    hourNs: HOUR_NS,
    since,
  })
  return new Set(rows.map((row) => numberOf(row, 'hour')))
}
