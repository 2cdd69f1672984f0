import { SPANS_TABLE } from '../store/spans-table.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { bigintOf, queryRows, textOf } from './query-rows.ts'
import { OWNED } from './spans-sql.ts'
import { BEFORE_RANGE, IN_RANGE, scopeParameters, type TraceScope } from './traces-sql.ts'

/** A build of an agent that began to send spans. */
export interface NewBuild {
  readonly buildId: string
  readonly firstStartNs: bigint
}

const MAX_BUILDS = 50

const NEW_BUILDS = `
  SELECT toString(build_id) AS build, min(start_time) AS first,
    toString(toUnixTimestamp64Nano(first)) AS first_start
  FROM ${SPANS_TABLE}
  WHERE ${OWNED} AND ${IN_RANGE} AND build_id NOT IN (
    SELECT DISTINCT build_id FROM ${SPANS_TABLE} WHERE ${OWNED} AND ${BEFORE_RANGE})
  GROUP BY build
  ORDER BY first DESC, build DESC
  LIMIT ${MAX_BUILDS}`

/** Returns the newest builds whose first spans started in the range, oldest first. */
export async function readNewBuilds(
  reader: TraceReader,
  scope: TraceScope,
): Promise<readonly NewBuild[]> {
  const rows = await queryRows(reader, NEW_BUILDS, scopeParameters(scope))
  return rows
    .map((row) => ({ buildId: textOf(row, 'build'), firstStartNs: bigintOf(row, 'first_start') }))
    .toReversed()
}
