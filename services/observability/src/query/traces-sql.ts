import { hoursLong } from '../domain/hours.ts'
import { RootRank } from '../domain/span.ts'
import type { TraceRange } from '../domain/trace-range.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import type { QueryParameters } from '../store/engine.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import {
  fromSpans,
  OWNED,
  ownerParameters,
  SPAN_ORDER,
  type Deduplication,
  type SpanSelection,
} from './spans-sql.ts'
import { miscounts, MAX_RECOUNTED, TAIL, tokenSums, USAGE_COLUMNS } from './usage-sql.ts'

/**
 * The traces that a query selects: those of an agent whose roots start in a range. The account and
 * the agent are never part of the SQL text.
 */
export interface TraceScope extends TracedAgent {
  readonly range: TraceRange
  /** The parts of the range that a query of traces reads, at most MAX_PARTS. */
  readonly parts: readonly TraceRange[]
  readonly retentionDays: number
  /**
   * A span with an unknown parent counts as a root only if it was stored by then. In microseconds
   * since 1970.
   */
  readonly settledBeforeUs: number
}

/**
 * Cases that a query handles in addition to the common one. The precautions are rarely needed and
 * expensive, so a query first runs without them, and its result shows which ones it needs.
 */
export interface Precautions {
  readonly deduplicate: Deduplication
  /** Whether to look for the missing parents of spans, to find roots among them. */
  readonly resolveOrphans: boolean
  /** Whether tokens of traces were worked out; see `CountedTokens`. */
  readonly hasRecounted: boolean
}

/**
 * Maximum number of duplicated traces that a query deduplicates by tail. If there are more, it
 * deduplicates all.
 */
export const MAX_DUPLICATED = 5_000

/** Returns the parameters of the SQL in this file. */
export function scopeParameters(scope: TraceScope): QueryParameters {
  const { range, parts, settledBeforeUs } = scope
  const { startNs, endNs } = range
  const ends = parts.flatMap((part, index) => [
    [`partStartNs${index}`, part.startNs],
    [`partEndNs${index}`, part.endNs],
  ])
  const ofParts = Object.fromEntries(ends) as Record<string, bigint>
  return { ...ownerParameters(scope), ...ofParts, startNs, endNs, settledBeforeUs }
}

const START = `fromUnixTimestamp64Nano({startNs:Int64}, 'UTC')`
const END = `fromUnixTimestamp64Nano({endNs:Int64}, 'UTC')`

/** The conditions for the spans that started in the range, and before it. */
export const IN_RANGE = `start_time >= ${START} AND start_time < ${END}`
export const BEFORE_RANGE = `start_time < ${START}`

/** Returns the condition for a time in the parts of a range. */
function isInParts(
  { parts }: Pick<TraceScope, 'parts'>,
  time: string,
  toTime: (ns: string) => string = (ns) => ns,
): string {
  const conditions = parts.map((_, index) => {
    const [start, end] = [`{partStartNs${index}:Int64}`, `{partEndNs${index}:Int64}`]
    return `(${time} >= ${toTime(start)} AND ${time} < ${toTime(end)})`
  })
  return `(${conditions.join(' OR ')})`
}

/** Returns the condition for the spans that started in the parts of a range. */
export function startsIn(scope: Pick<TraceScope, 'parts'>): string {
  return isInParts(scope, 'start_time', (ns) => `fromUnixTimestamp64Nano(${ns}, 'UTC')`)
}

/** Selects the tails of traces with a possible root in the parts of the range. */
export function tailsInParts(scope: Pick<TraceScope, 'parts'>): string {
  return `
    SELECT trace_tail FROM ${SPANS_TABLE}
    WHERE ${OWNED} AND ${startsIn(scope)} AND root_rank <= ${RootRank.UnknownParent}`
}

/**
 * Selects all spans of the traces with a possible root in the parts, including spans outside of
 * them. For a long range, reading all of the agent's spans is faster than selecting most of them.
 * Queries of `trace_tail` values that all wanted traces are in narrow the selection.
 */
function selectionOf(
  scope: Pick<TraceScope, 'parts' | 'retentionDays'>,
  tails: readonly string[],
): SpanSelection {
  const isLong = hoursLong(scope.parts) * 2 >= scope.retentionDays * 24
  const [first, ...others] = isLong ? tails : [tailsInParts(scope), ...tails]
  if (first === undefined) return { tails: undefined }
  const narrowed = others.map((each) => ` AND trace_tail IN (${each})`)
  return { tails: `(${first}${narrowed.join('')})` }
}

/**
 * Orders the possible roots of a trace: spans without a parent first, then by start, then by span
 * id. `tracesSql` adds spans with an unknown parent after them if it resolves orphans.
 */
const ROOT_ORDER = `
  bitShiftLeft(toUInt128(if(root_rank = ${RootRank.NoParent}, 0, 1)), 127)
  + ${SPAN_ORDER}`
/** Parts of the first root's order, which is 0 if the trace has no root. */
const HAS_TOP_ROOT = `(first_root > 0 AND bitShiftRight(first_root, 127) = 0)`
const ROOT_START = 'toInt64(bitAnd(bitShiftRight(first_root, 64), 0x7fffffffffffffff))'
const ROOT_SPAN_ID = 'toUInt64(bitAnd(first_root, 0xffffffffffffffff))'

const IS_UNKNOWN =
  `(root_rank = ${RootRank.UnknownParent}` + ' AND version <= {settledBeforeUs:UInt64})'

function isOrphan({ tails }: SpanSelection): string {
  const others = tails === undefined ? OWNED : `${OWNED} AND trace_tail IN ${tails}`
  return `(${IS_UNKNOWN} AND (trace_id, parent_span_id) NOT IN (
    SELECT trace_id, span_id FROM ${SPANS_TABLE} WHERE ${others}))`
}

/** The columns that a query reads of each trace. */
export interface TraceColumns {
  /** Expressions over the root span, by name. */
  readonly root: Readonly<Record<string, string>>
  /** Aggregates over all spans, by name. */
  readonly sums: Readonly<Record<string, string>>
  /** The columns that both need. */
  readonly columns: readonly string[]
  /** Queries of `trace_tail`, each with a WHERE clause: each wanted trace is in all of them. */
  readonly tails?: readonly string[] | undefined
  /** Whether to add the columns of `tokenSums`. */
  readonly countsTokens?: boolean
}

/**
 * Returns a query with one row per trace. In addition to the requested columns, a row has
 *
 * - `trace` and `root_span`: the ids as numbers, and `root_start` in nanoseconds since 1970,
 * - `is_listed`: whether the trace has a root in the parts of the range,
 * - `is_duplicated`: whether the trace has duplicate spans that were not removed,
 * - `is_miscounted`: whether tokens may be counted twice,
 * - `is_unsettled`: whether orphans must be resolved to find the root.
 *
 * The query is flat, because planning a nested one takes as long as running it over an agent's day.
 * It groups by a number, which is faster than grouping by sixteen bytes.
 */
export function tracesSql(
  { root, sums, columns, tails = [], countsTokens = false }: TraceColumns,
  scope: TraceScope,
  { deduplicate, resolveOrphans, hasRecounted }: Precautions,
): string {
  const selection = selectionOf(scope, tails)
  const isCertain = `root_rank <= ${RootRank.RemoteParent}`
  const isRoot = resolveOrphans ? `${isCertain} OR ${IS_UNKNOWN}` : isCertain
  const isLast = `NOT (${isCertain} OR ${isOrphan(selection)})`
  const order = resolveOrphans
    ? `bitShiftLeft(toUInt256(${isLast}), 128) + toUInt256(${ROOT_ORDER})`
    : ROOT_ORDER
  const isDuplicated =
    deduplicate === 'all' ? '0' : 'count() > uniqExact(reinterpretAsUInt64(span_id))'
  const isMiscounted = countsTokens ? `NOT is_duplicated AND ${miscounts(hasRecounted)}` : '0'
  const isUnsettled = resolveOrphans ? '0' : `NOT ${HAS_TOP_ROOT} AND countIf(${IS_UNKNOWN}) > 0`
  const selected = [
    'reinterpretAsUInt128(trace_id) AS trace',
    'minIf(root_order, is_root) AS first_root',
    `${ROOT_START} AS root_start`,
    `${ROOT_SPAN_ID} AS root_span`,
    `first_root > 0 AND ${isInParts(scope, 'root_start')} AS is_listed`,
    ...Object.entries(root).map(
      ([name, expression]) => `argMinIf(${expression}, root_order, is_root) AS ${name}`,
    ),
    ...Object.entries({ ...sums, ...(countsTokens ? tokenSums(hasRecounted) : {}) }).map(
      ([name, expression]) => `${expression} AS ${name}`,
    ),
    `${isDuplicated} AS is_duplicated`,
    `${isMiscounted} AS is_miscounted`,
    `${isUnsettled} AS is_unsettled`,
  ]
  return `
    WITH ${order} AS root_order, ${isRoot} AS is_root
    SELECT ${selected.join(',\n')}
    ${fromSpans([...columns, ...(countsTokens ? USAGE_COLUMNS : [])], deduplicate, selection)}
    GROUP BY trace`
}

/** Aggregates over `tracesSql` from which `runTraceQuery` finds the precautions that it needs. */
export const DIAGNOSTICS = `
  groupArrayIf(${MAX_DUPLICATED + 1})(${TAIL}, is_duplicated) AS duplicated_tails,
  groupArrayIf(${MAX_RECOUNTED + 1})(${TAIL}, is_miscounted) AS miscounted_tails,
  max(is_unsettled) AS is_unsettled`
/** The names of DIAGNOSTICS. */
export const DIAGNOSTIC_COLUMNS = 'duplicated_tails, miscounted_tails, is_unsettled'
/** The same over groups of DIAGNOSTICS. */
export const DIAGNOSTICS_OF_GROUPS = `
  groupArrayArray(${MAX_DUPLICATED + 1})(duplicated_tails) AS duplicated_tails,
  groupArrayArray(${MAX_RECOUNTED + 1})(miscounted_tails) AS miscounted_tails,
  max(is_unsettled) AS is_unsettled`
