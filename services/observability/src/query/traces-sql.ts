import type { TraceRange } from '../domain/trace-range.ts'
import { RootRank } from '../domain/span.ts'
import type { QueryParameters } from '../store/engine.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'

/**
 * Whose traces of which time are asked for. The account and the agent are always set here, never by
 * a caller's text.
 */
export interface TraceScope {
  readonly accountId: string
  readonly agent: string
  readonly range: TraceRange
  /** Whether the range is most of the time that is kept. */
  readonly isLong: boolean
  /**
   * Spans with an unknown parent count as roots only when they were stored before. In microseconds
   * since 1970.
   */
  readonly settledBefore: number
}

/**
 * What a query has to take care of beyond the usual. All of it is rare and dear, so it is left out
 * until a first answer says that it is needed.
 */
export interface Precautions {
  /**
   * Of which traces spans that are stored more than once count once, whether they wait to be merged
   * or came again with another start, which merging by the sort key doesn't see: of `none`, of
   * `some`, whose `trace_tail` are the parameter `copied`, or of `all`, which takes several times
   * longer.
   */
  readonly copies: 'none' | 'some' | 'all'
  /** Some trace has no certain root, and spans whose parents must be looked for. */
  readonly orphans: boolean
}

/** Traces with copies whose tails fit into a query; beyond that all traces are looked through. */
export const MAX_COPIED = 5_000

/** The values of the places that every query of this file has. */
export function scopeParameters({
  accountId,
  agent,
  range,
  settledBefore,
}: TraceScope): QueryParameters {
  return { accountId, agent, startNs: range.startNs, endNs: range.endNs, settledBefore }
}

const OWNED = 'account_id = {accountId:String} AND agent = {agent:String}'
const START = `fromUnixTimestamp64Nano({startNs:Int64}, 'UTC')`
const END = `fromUnixTimestamp64Nano({endNs:Int64}, 'UTC')`

/**
 * Every trace that can have its root in the range: those of all possible roots that began in it.
 */
const TAILS_IN_RANGE = `
  SELECT trace_tail FROM ${SPANS_TABLE}
  WHERE ${OWNED} AND start_time >= ${START} AND start_time < ${END} AND root_rank <= ${RootRank.UnknownParent}`

/** Which spans of the agent are looked at: those of some traces, and maybe only in some time. */
export interface SpanSelection {
  /** A set of `trace_tail`; all traces when undefined. */
  readonly tails: string | undefined
  readonly when?: string
}

/**
 * The spans of the traces that can have their root in the range, wherever they lie in time. When
 * the range is most of what is kept, these are most of the agent's spans, and picking them takes
 * longer than looking at the others too.
 */
function selectionOf({ isLong }: Pick<TraceScope, 'isLong'>): SpanSelection {
  return { tails: isLong ? undefined : `(${TAILS_IN_RANGE})` }
}

/**
 * The end of a SELECT over an agent's spans, with their copies cared for. All copies of a span have
 * the same tail.
 */
export function fromSpans(
  columns: readonly string[],
  { copies }: Pick<Precautions, 'copies'>,
  { tails, when }: SpanSelection,
): string {
  const isWanted = when === undefined ? OWNED : `${OWNED} AND ${when}`
  const rows = (...picked: readonly string[]) => {
    const prewhere = picked.length === 0 ? '' : `PREWHERE ${picked.join(' AND ')}`
    return `FROM ${SPANS_TABLE} ${prewhere} WHERE ${isWanted}`
  }
  const selected = tails === undefined ? [] : [`trace_tail IN ${tails}`]
  if (copies === 'none') return rows(...selected)
  const names = [
    'trace_id',
    'span_id',
    'parent_span_id',
    'start_time',
    'root_rank',
    'version',
    ...columns,
  ]
  const select = `SELECT ${[...new Set(names)].join(', ')}`
  const newest = (from: string) =>
    `${select} ${from} ORDER BY version DESC LIMIT 1 BY trace_id, span_id`
  if (copies === 'all') return `FROM (${newest(rows(...selected))})`
  return `FROM (
    ${select} ${rows(...selected, 'trace_tail NOT IN {copied:Array(UInt32)}')}
    UNION ALL SELECT * FROM (${newest(rows('trace_tail IN {copied:Array(UInt32)}'))}))`
}

/**
 * Orders possible roots: those without a parent first, then by start, then by span id. Where a
 * trace has no other root, its spans are each other's parents, and those that came without theirs
 * follow: see `traces`.
 */
const ROOT_ORDER = `
  bitShiftLeft(toUInt128(if(root_rank = ${RootRank.NoParent}, 0, 1)), 127)
  + bitShiftLeft(toUInt128(toUnixTimestamp64Nano(start_time)), 64)
  + reinterpretAsUInt64(reverse(span_id))`
/**
 * What the place of a trace's first possible root in that order tells; it is 0 when there is none.
 */
const HAS_TOP_ROOT = `(first_root > 0 AND bitShiftRight(first_root, 127) = 0)`
const ROOT_START = 'toInt64(bitAnd(bitShiftRight(first_root, 64), 0x7fffffffffffffff))'
const ROOT_SPAN_ID = 'toUInt64(bitAnd(first_root, 0xffffffffffffffff))'

const IS_UNKNOWN = `(root_rank = ${RootRank.UnknownParent} AND version <= {settledBefore:UInt64})`

function isOrphan({ tails }: SpanSelection): string {
  const others = tails === undefined ? OWNED : `${OWNED} AND trace_tail IN ${tails}`
  return `(${IS_UNKNOWN} AND (trace_id, parent_span_id) NOT IN (
    SELECT trace_id, span_id FROM ${SPANS_TABLE} WHERE ${others}))`
}

/** What a query wants to know of each trace. */
export interface TraceColumns {
  /** Expressions over the root span, by name. */
  readonly root: Readonly<Record<string, string>>
  /** Aggregates over all spans, by name. */
  readonly sums: Readonly<Record<string, string>>
  /** Columns that both need. */
  readonly columns: readonly string[]
}

/**
 * One row per trace with its root, or without one: `is_listed` tells whether its root is in the
 * range. `root_start` is in nanoseconds, `root_span` and `trace` are the ids as numbers. Two more
 * columns tell whether the answer can be trusted without further precautions: `is_duplicated` and
 * `is_unsettled`. Flat, since working out how to run a query takes as long as running it over an
 * agent's day. Grouped by a number, which is quicker than by sixteen characters.
 */
export function traces(
  { root, sums, columns }: TraceColumns,
  scope: TraceScope,
  precautions: Precautions,
): string {
  const selection = selectionOf(scope)
  const isCertain = `root_rank <= ${RootRank.RemoteParent}`
  const isRoot = precautions.orphans ? `${isCertain} OR ${IS_UNKNOWN}` : isCertain
  const order = precautions.orphans
    ? `bitShiftLeft(toUInt256(NOT (${isCertain} OR ${isOrphan(selection)})), 128) + toUInt256(${ROOT_ORDER})`
    : ROOT_ORDER
  const wanted = [
    'reinterpretAsUInt128(trace_id) AS trace',
    'minIf(root_order, is_root) AS first_root',
    `${ROOT_START} AS root_start`,
    `${ROOT_SPAN_ID} AS root_span`,
    `first_root > 0 AND root_start >= {startNs:Int64} AND root_start < {endNs:Int64} AS is_listed`,
    ...Object.entries(root).map(
      ([name, expression]) => `argMinIf(${expression}, root_order, is_root) AS ${name}`,
    ),
    ...Object.entries(sums).map(([name, expression]) => `${expression} AS ${name}`),
    `${precautions.copies === 'all' ? '0' : 'count() > uniqExact(reinterpretAsUInt64(span_id))'} AS is_duplicated`,
    `${precautions.orphans ? '0' : `NOT ${HAS_TOP_ROOT} AND countIf(${IS_UNKNOWN}) > 0`} AS is_unsettled`,
  ]
  return `
    WITH ${order} AS root_order, ${isRoot} AS is_root
    SELECT ${wanted.join(',\n')}
    ${fromSpans(columns, precautions, selection)}
    GROUP BY trace`
}

/** The column `trace_tail` of a trace, from its id as a number. */
const TAIL = 'toUInt32(bitShiftRight(trace, 96))'

/**
 * Aggregates over `traces` that `runTraceQuery` looks at: `copied` has the tails of those that are
 * duplicated.
 */
export const DIAGNOSTICS = `
  groupArrayIf(${MAX_COPIED + 1})(${TAIL}, is_duplicated) AS copied, max(is_unsettled) AS is_unsettled`
/** The same over groups of DIAGNOSTICS. */
export const DIAGNOSTICS_OF_GROUPS = `
  groupArrayArray(${MAX_COPIED + 1})(copied) AS copied, max(is_unsettled) AS is_unsettled`

/** The column `trace_tail` of a trace: its last four bytes, as the engine reads them. */
export function traceTail(traceId: string): number {
  return Buffer.from(traceId.slice(-8), 'hex').readUInt32LE()
}
