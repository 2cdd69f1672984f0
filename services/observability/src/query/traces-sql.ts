import type { TraceRange } from '../domain/trace-range.ts'
import { RootRank } from '../domain/span.ts'
import type { QueryParameters } from '../store/engine.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'

/** Whose traces of which time are asked for. The account and the agent are always set here, never by a caller's text. */
export interface TraceScope {
  readonly accountId: string
  readonly agent: string
  readonly range: TraceRange
  /** Spans with an unknown parent count as roots only when they were stored before. In microseconds since 1970. */
  readonly settledBefore: number
}

/**
 * What a query has to take care of beyond the usual. Both are rare and dear, so they are left out until a first answer
 * says that they are needed.
 */
export interface Precautions {
  /** Some span id came again with another start, which merging by the sort key doesn't see. */
  readonly duplicates: boolean
  /** Some trace has no certain root, and spans whose parents must be looked for. */
  readonly orphans: boolean
}

/** The values of the places that every query of this file has. */
export function scopeParameters({ accountId, agent, range, settledBefore }: TraceScope): QueryParameters {
  return { accountId, agent, startNs: range.startNs, endNs: range.endNs, settledBefore }
}

const OWNED = 'account_id = {accountId:String} AND agent = {agent:String}'
const START = `fromUnixTimestamp64Nano({startNs:Int64}, 'UTC')`
const END = `fromUnixTimestamp64Nano({endNs:Int64}, 'UTC')`

/** Every trace that can have its root in the range: those of all possible roots that began in it. */
const TAILS_IN_RANGE = `
  SELECT trace_tail FROM ${SPANS_TABLE}
  WHERE ${OWNED} AND start_time >= ${START} AND start_time < ${END} AND root_rank <= ${RootRank.UnknownParent}`

/**
 * The end of a SELECT over all spans of the traces that can have their root in the range, wherever they lie in time,
 * each once. All versions of a row have the same tail, so rows may be left out by it before FINAL puts the versions
 * together; without PREWHERE every column of every row of the agent would be read first.
 */
export function fromSpans(
  columns: readonly string[],
  { duplicates }: Precautions,
  { tails, when }: { tails: string; when?: string } = { tails: `(${TAILS_IN_RANGE})` },
): string {
  const isWanted = when === undefined ? OWNED : `${OWNED} AND ${when}`
  const rows = (final: string) => `FROM ${SPANS_TABLE} ${final} PREWHERE trace_tail IN ${tails} WHERE ${isWanted}`
  if (!duplicates) return rows('FINAL')
  const all = new Set(['trace_id', 'span_id', 'parent_span_id', 'start_time', 'root_rank', 'version', ...columns])
  return `FROM (SELECT ${[...all].join(', ')} ${rows('')} ORDER BY version DESC LIMIT 1 BY trace_id, span_id)`
}

/** Orders possible roots: those without a parent first, then by start, then by span id. */
const ROOT_ORDER = `
  bitShiftLeft(toUInt128(if(root_rank = ${RootRank.NoParent}, 0, 1)), 127)
  + bitShiftLeft(toUInt128(toUnixTimestamp64Nano(start_time)), 64)
  + reinterpretAsUInt64(reverse(span_id))`

const IS_UNKNOWN = `(root_rank = ${RootRank.UnknownParent} AND version <= {settledBefore:UInt64})`

const IS_ORPHAN = `(${IS_UNKNOWN} AND (trace_id, parent_span_id) NOT IN (
  SELECT trace_id, span_id FROM ${SPANS_TABLE} WHERE ${OWNED} AND trace_tail IN (${TAILS_IN_RANGE})))`

/** What a query wants to know of each trace. */
export interface TraceColumns {
  /** Columns of the root span; they come with `root_` before their names. */
  readonly root: readonly string[]
  /** Aggregates over all spans, by name. */
  readonly sums: Readonly<Record<string, string>>
  /** Columns that the aggregates need. */
  readonly summed: readonly string[]
}

/**
 * One row per trace with its root, or without one: `is_listed` tells whether its root is in the range. Two more columns
 * tell whether the answer can be trusted without further precautions: `is_duplicated` and `is_unsettled`. Flat, since
 * working out how to run a query takes as long as running it over an agent's day.
 */
export function traces({ root, sums, summed }: TraceColumns, precautions: Precautions): string {
  const isCertain = `root_rank <= ${RootRank.RemoteParent}`
  const columns = [
    'trace_id',
    `countIf(is_root) > 0 AND root_start >= ${START} AND root_start < ${END} AS is_listed`,
    'argMinIf(start_time, root_order, is_root) AS root_start',
    ...root.map((column) => `argMinIf(${column}, root_order, is_root) AS root_${column}`),
    ...Object.entries(sums).map(([name, expression]) => `${expression} AS ${name}`),
    `${precautions.duplicates ? '0' : 'count() > uniqExact(reinterpretAsUInt64(span_id))'} AS is_duplicated`,
    `${precautions.orphans ? '0' : `countIf(root_rank = ${RootRank.NoParent}) = 0 AND countIf(${IS_UNKNOWN}) > 0`} AS is_unsettled`,
  ]
  return `
    WITH ${ROOT_ORDER} AS root_order, ${precautions.orphans ? `${isCertain} OR ${IS_ORPHAN}` : isCertain} AS is_root
    SELECT ${columns.join(',\n')}
    ${fromSpans([...root, ...summed], precautions)}
    GROUP BY trace_id`
}

/** Aggregates over `traces` that `answerTrusted` looks at. */
export const DIAGNOSTICS = 'max(is_duplicated) AS is_duplicated, max(is_unsettled) AS is_unsettled'

/** The column `trace_tail` of a trace: its last four bytes, as the engine reads them. */
export function traceTail(traceId: string): number {
  return Buffer.from(traceId.slice(-8), 'hex').readUInt32LE()
}
