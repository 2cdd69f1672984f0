import { filterSql, firstOf, ofSpans } from './filter-sql.ts'
import {
  DIAGNOSTIC_COLUMNS,
  DIAGNOSTICS,
  DIAGNOSTICS_OF_GROUPS,
  tracesSql,
  type Precautions,
  type TraceColumns,
  type TraceScope,
} from './traces-sql.ts'
import { TAIL } from './usage-sql.ts'

/** Conditions for the sessions of a list; undefined ones match all sessions. */
export interface SessionFilter {
  readonly sessionId?: string | undefined
  /** The start of the session's id. */
  readonly prefix?: string | undefined
  readonly userId?: string | undefined
  /** Whether any of its turns failed. */
  readonly hasErrors?: boolean | undefined
}

/** What a query reads of sessions: aggregates over their turns, and what these need of a turn. */
interface SessionColumns extends TraceColumns {
  readonly aggregates: Readonly<Record<string, string>>
}

const TRACE_BYTES = 'reinterpretAsFixedString(trace)'
const TURN_ORDER = `(root_start, ${TRACE_BYTES})`
const TRACE_ID = `lower(hex(${TRACE_BYTES}))`
const ROOT_ID = `leftPad(lower(hex(root_span)), 16, '0')`

const SESSION = { trace_session: firstOf('session_id') }
const USER: SessionColumns = {
  aggregates: { user: `argMinIf(trace_user, ${TURN_ORDER}, trace_user != '')` },
  root: {},
  sums: { trace_user: firstOf('user_id') },
  columns: ['user_id'],
}
const ERRORS: SessionColumns = {
  aggregates: { errors: 'countIf(root_is_error OR has_failed_run)' },
  root: { root_is_error: 'is_error' },
  sums: { has_failed_run: 'max(is_failed_run)' },
  columns: ['is_error', 'is_failed_run'],
}
const PLACE: SessionColumns = {
  aggregates: {
    last_order: 'max(root_start)',
    turn_tails: `groupArray(${TAIL})`,
    span_sum: 'sum(span_count)',
  },
  root: {},
  sums: { span_count: 'count()' },
  columns: [],
}
const TOTALS: SessionColumns = {
  aggregates: {
    first_turn: 'min(root_start)',
    last_turn: 'max(root_start)',
    turns: 'count()',
    input_tokens: 'sum(input_token_sum)',
    output_tokens: 'sum(output_token_sum)',
    cost: 'sum(cost_sum)',
    first_trace: `argMin(${TRACE_ID}, ${TURN_ORDER})`,
    first_root: `argMin(${ROOT_ID}, ${TURN_ORDER})`,
    last_trace: `argMax(${TRACE_ID}, ${TURN_ORDER})`,
    last_root: `argMax(${ROOT_ID}, ${TURN_ORDER})`,
    first_start: 'min(trace_first_start)',
    last_start: 'max(trace_last_start)',
  },
  root: {},
  sums: {
    trace_first_start: 'toUnixTimestamp64Nano(min(start_time))',
    trace_last_start: 'toUnixTimestamp64Nano(max(start_time))',
  },
  columns: [],
  countsTokens: true,
}

/**
 * Returns a query whose single row has the ids of a page of sessions, and the tails of their turns
 * unless these have more spans than the parameter `maxSpans`.
 */
export function placesSql(
  { sessionId, prefix, userId, hasErrors }: SessionFilter,
  scope: TraceScope,
  precautions: Precautions,
): string {
  const { isMatch: isTurn, tails } = filterSql({ sessionId })
  const isMatch = [
    `session != ''`,
    ...(prefix === undefined ? [] : ['startsWith(session, {prefix:String})']),
    ...(userId === undefined ? [] : ['user = {userId:String}']),
    ...(hasErrors === undefined ? [] : ['(errors > 0) = {hasErrors:UInt8}']),
  ].join(' AND ')
  const columns = [
    PLACE,
    ...(userId === undefined ? [] : [USER]),
    ...(hasErrors === undefined ? [] : [ERRORS]),
  ]
  const entries = `groupArrayIf((-last_order, session, span_sum, turn_tails), ${isMatch})`
  const sorted = `arrayPartialSort(entry -> (entry.1, entry.2), {last:UInt32}, ${entries})`
  return `
    SELECT ${DIAGNOSTIC_COLUMNS}, total,
      arrayMap(entry -> entry.2, page) AS sessions,
      if(
        arraySum(entry -> entry.3, page) > {maxSpans:UInt32}, [],
        arrayFlatten(arrayMap(entry -> entry.4, page))) AS tails
    FROM (
      SELECT ${DIAGNOSTICS_OF_GROUPS}, countIf(${isMatch}) AS total,
        arraySlice(${sorted}, {first:UInt32}, {limit:UInt32}) AS page
      FROM (${groupsSql(columns, { isTurn, tails }, scope, precautions)})
    )`
}

/**
 * Returns a query whose single row has the sessions in the parameter `sessionIds`, with USER,
 * ERRORS and TOTALS as texts.
 */
export function sessionsSql(scope: TraceScope, precautions: Precautions): string {
  const isOfPage = (session: string) => `${session} IN {sessionIds:Array(String)}`
  const turns = {
    isTurn: `is_listed AND ${isOfPage('trace_session')}`,
    tails: [ofSpans(isOfPage('session_id'))],
  }
  const columns = [USER, ERRORS, TOTALS]
  const names = ['session', ...columns.flatMap(({ aggregates }) => Object.keys(aggregates))]
  const texts = names.map((name) => `'${name}', toString(${name})`)
  return `
    SELECT ${DIAGNOSTICS_OF_GROUPS},
      groupArrayIf(map(${texts.join(', ')}), session != '') AS sessions
    FROM (${groupsSql(columns, turns, scope, precautions)})`
}

/**
 * Groups turns by session. Traces that aren't turns are in a group without a session, which
 * includes their diagnostics.
 */
function groupsSql(
  columns: readonly SessionColumns[],
  { isTurn, tails }: { isTurn: string; tails: readonly string[] | undefined },
  scope: TraceScope,
  precautions: Precautions,
): string {
  const traces = {
    root: Object.assign({}, ...columns.map(({ root }) => root)) as TraceColumns['root'],
    sums: Object.assign({}, SESSION, ...columns.map(({ sums }) => sums)) as TraceColumns['sums'],
    columns: ['session_id', ...columns.flatMap((each) => each.columns)],
    countsTokens: columns.some(({ countsTokens }) => countsTokens === true),
    tails,
  }
  const aggregates = columns.flatMap((each) =>
    Object.entries(each.aggregates).map(([name, aggregate]) => `${aggregate} AS ${name}`),
  )
  return `
    SELECT ${DIAGNOSTICS}, if(${isTurn}, trace_session, '') AS session,
      ${aggregates.join(',\n')}
    FROM (${tracesSql(traces, scope, precautions)})
    GROUP BY session`
}
