import type { TracedAgent } from '../domain/traced-agent.ts'
import type { QueryParameters } from '../store/engine.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'

/**
 * Returns the condition for the rows of one agent in a table with this column for their time; every
 * query includes it. Rows of a deleted agent have another id. Those that were stored before rows
 * had ids belong to the agent if their time is after its registration. Those of another account's
 * agent, deployed under the same name, have a `/` in their id.
 */
function ownedBy(timeColumn: string): string {
  return `account_id = {accountId:String} AND agent = {agent:String} AND (
    agent_id = {agentId:String} OR position(agent_id, '/') > 0
    OR (agent_id = '' AND ${timeColumn} >= fromUnixTimestamp64Nano({agentSinceNs:Int64}, 'UTC')))`
}

/** The condition for the spans of one agent. */
export const OWNED = ownedBy('start_time')

/** The condition for the log records of one agent. */
export const OWNED_LOGS = ownedBy('time')

/** Returns the parameters of OWNED. */
export function ownerParameters(owner: TracedAgent): QueryParameters {
  const { accountId, agent, agentId, agentSinceNs } = owner
  return { accountId, agent, agentId, agentSinceNs }
}

/**
 * Which traces to deduplicate: `none`, `some` (those whose `trace_tail` is in the parameter
 * `duplicatedTails`), or `all`, which takes several times longer. A span is stored more than once
 * until the engine has merged its rows, or permanently if it was sent again with a different start.
 */
export type Deduplication = 'none' | 'some' | 'all'

/** Selects spans of the agent. */
export interface SpanSelection {
  /** A set of `trace_tail` values in SQL; all traces if undefined. */
  readonly tails: string | undefined
  /** A condition on `start_time`. */
  readonly when?: string
}

/** Orders spans by their start, then by their id. Comparing a number is faster than a tuple. */
export const SPAN_ORDER = `bitShiftLeft(toUInt128(toUnixTimestamp64Nano(start_time)), 64)
  + reinterpretAsUInt64(reverse(span_id))`

/** The columns that each query of deduplicated spans needs. */
const IDENTITY = [
  'trace_id',
  'span_id',
  'parent_span_id',
  'start_time',
  'root_rank',
  'version',
] as const

/**
 * Returns the FROM clause of a SELECT over an agent's spans, and the following clauses. The copies
 * of a span have the same tail, so deduplication by tail includes all of them.
 */
export function fromSpans(
  columns: readonly string[],
  deduplicate: Deduplication,
  { tails, when }: SpanSelection,
): string {
  const isSelected = when === undefined ? OWNED : `${OWNED} AND ${when}`
  const fromTable = (...prewhere: readonly string[]) => {
    const clause = prewhere.length === 0 ? '' : `PREWHERE ${prewhere.join(' AND ')}`
    return `FROM ${SPANS_TABLE} ${clause} WHERE ${isSelected}`
  }
  const hasTail = tails === undefined ? [] : [`trace_tail IN ${tails}`]
  if (deduplicate === 'none') return fromTable(...hasTail)
  const select = `SELECT ${[...new Set([...IDENTITY, ...columns])].join(', ')}`
  const newest = (from: string) =>
    `${select} ${from} ORDER BY version DESC LIMIT 1 BY trace_id, span_id`
  if (deduplicate === 'all') return `FROM (${newest(fromTable(...hasTail))})`
  return `FROM (
    ${select} ${fromTable(...hasTail, 'trace_tail NOT IN {duplicatedTails:Array(UInt32)}')}
    UNION ALL
    SELECT * FROM (${newest(fromTable('trace_tail IN {duplicatedTails:Array(UInt32)}'))}))`
}

/** Returns the `trace_tail` of a trace: its last four bytes, read as the engine does. */
export function traceTail(traceId: string): number {
  return Buffer.from(traceId.slice(-8), 'hex').readUInt32LE()
}
