import type { TraceFilter } from '../domain/trace-filter.ts'
import type { QueryParameters } from '../store/engine.ts'
import { LOGS_TABLE } from '../store/logs-table.ts'
import { SPANS_TABLE } from '../store/spans-table.ts'
import { OWNED, OWNED_LOGS, SPAN_ORDER } from './spans-sql.ts'
import type { TraceColumns } from './traces-sql.ts'

/** The parts of a query that select the traces of a filter. */
export interface FilterSql extends TraceColumns {
  /** The condition for a row of `tracesSql` that has these columns. */
  readonly isMatch: string
  readonly parameters: QueryParameters
}

/** The SQL of one condition. Its parameter has the name of the filter's field. */
interface Part {
  readonly condition: string
  readonly root?: TraceColumns['root']
  readonly sums?: TraceColumns['sums']
  readonly columns: readonly string[]
  /** A SELECT with a WHERE clause. */
  readonly tails?: string
  readonly countsTokens?: boolean
}

const SEARCHED = ['name', 'input', 'output']
const TOKENS = 'input_token_sum + output_token_sum'

const PARTS: Readonly<Record<keyof TraceFilter, Part>> = {
  isError: {
    condition: '(root_is_error OR has_failed_run) = {isError:UInt8}',
    root: { root_is_error: 'is_error' },
    sums: { has_failed_run: 'max(is_failed_run)' },
    columns: ['is_error', 'is_failed_run'],
  },
  buildId: {
    condition: 'root_build_id = {buildId:String}',
    root: { root_build_id: 'build_id' },
    columns: ['build_id'],
  },
  text: {
    condition: 'hits > 0',
    sums: { hits: `countIf(${SEARCHED.map(contains).join(' OR ')})` },
    columns: SEARCHED,
  },
  sessionId: {
    condition: 'trace_session = {sessionId:String}',
    sums: { trace_session: firstOf('session_id') },
    columns: ['session_id'],
    tails: ofSpans('session_id = {sessionId:String}'),
  },
  userId: {
    condition: `(trace_user = {userId:String}
      OR (trace_user = '' AND trace IN (${ofLogs('reinterpretAsUInt128(trace_id)')})))`,
    sums: { trace_user: firstOf('user_id') },
    columns: ['user_id'],
    tails: `SELECT trace_tail FROM (
      ${ofSpans('user_id = {userId:String}')} UNION ALL ${ofLogs('trace_tail')}) WHERE true`,
  },
  model: {
    condition: 'has_model',
    sums: { has_model: 'max(model = {model:String})' },
    columns: ['model'],
    tails: ofSpans('model = {model:String}'),
  },
  tool: {
    condition: 'has_tool',
    sums: { has_tool: 'max(tool_name = {tool:String})' },
    columns: ['tool_name'],
    tails: ofSpans('tool_name = {tool:String}'),
  },
  minTokens: { condition: `${TOKENS} >= {minTokens:UInt64}`, columns: [], countsTokens: true },
  maxTokens: { condition: `${TOKENS} <= {maxTokens:UInt64}`, columns: [], countsTokens: true },
  minCostNanoUsd: {
    condition: 'cost_sum >= {minCostNanoUsd:UInt64}',
    columns: [],
    countsTokens: true,
  },
  minDurationNs: {
    condition: 'root_duration_ns >= {minDurationNs:UInt64}',
    root: { root_duration_ns: 'duration_ns' },
    columns: ['duration_ns'],
  },
  hasErrors: {
    condition: 'has_errors = {hasErrors:UInt8}',
    sums: { has_errors: 'max(is_error)' },
    columns: ['is_error'],
  },
}

/** Returns the SQL of a filter. Its values are parameters, never part of the text. */
export function filterSql(filter: TraceFilter): FilterSql {
  const values = Object.entries(filter).filter(([, value]) => value !== undefined) as [
    keyof TraceFilter,
    string | bigint | boolean,
  ][]
  const parts = values.map(([name]) => PARTS[name])
  return {
    isMatch: ['is_listed', ...parts.map(({ condition }) => condition)].join(' AND '),
    root: Object.assign({}, ...parts.map(({ root }) => root)) as TraceColumns['root'],
    sums: Object.assign({}, ...parts.map(({ sums }) => sums)) as TraceColumns['sums'],
    columns: [...new Set(parts.flatMap(({ columns }) => columns))],
    countsTokens: parts.some(({ countsTokens }) => countsTokens === true),
    tails: parts.flatMap(({ tails }) => tails ?? []),
    parameters: Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
    ),
  }
}

/** Returns the value of a column in the first span in time that has one. */
export function firstOf(column: string): string {
  return `argMinIf(${column}, ${SPAN_ORDER}, ${column} != '')`
}

/** Selects the tails of traces with a span for which a condition holds. */
export function ofSpans(condition: string): string {
  return `SELECT trace_tail FROM ${SPANS_TABLE} WHERE ${OWNED} AND ${condition}`
}

/** Selects a column of the log records that name the user of the filter. */
function ofLogs(column: string): string {
  return `SELECT ${column} FROM ${LOGS_TABLE} WHERE ${OWNED_LOGS} AND user_id = {userId:String}`
}

function contains(column: string): string {
  return `positionCaseInsensitiveUTF8(${column}, {text:String}) > 0`
}
