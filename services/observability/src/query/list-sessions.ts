import type { Page } from '../domain/page.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { filterSql, firstOf } from './filter-sql.ts'
import { readPageDetails, type PageTraces, type TraceDetails } from './page-details.ts'
import { bigintOf, numberOf, rowsOf, textOf, type Row } from './query-rows.ts'
import { runTraceQuery } from './run-trace-query.ts'
import {
  DIAGNOSTIC_COLUMNS,
  DIAGNOSTICS,
  DIAGNOSTICS_OF_GROUPS,
  tracesSql,
  type Precautions,
  type TraceScope,
} from './traces-sql.ts'

/** Conditions for the sessions of a list; undefined ones match all sessions. */
export interface SessionFilter {
  readonly sessionId?: string | undefined
  /** The start of the session's id. */
  readonly prefix?: string | undefined
  readonly userId?: string | undefined
  /** Whether any of its turns failed. */
  readonly hasErrors?: boolean | undefined
}

/** A session with its turns in the range. */
export interface ListedSession {
  readonly sessionId: string
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
  readonly turnCount: number
  readonly errorCount: number
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly costNanoUsd: bigint
  readonly userId: string
  /** The input of the first turn and the output of the last one. */
  readonly input: string
  readonly output: string
}

/** A page of sessions. */
export interface SessionPage {
  readonly sessions: readonly ListedSession[]
  /** The number of matching sessions. */
  readonly total: number
  /** Whether tokens are estimated; see TraceResult. */
  readonly isEstimate: boolean
}

/** Returns a page of sessions, those with the newest last turn first, ties by id. */
export async function listSessions(
  reader: TraceReader,
  scope: TraceScope,
  { filter, page }: { filter: SessionFilter; page: Page },
): Promise<SessionPage> {
  const parameters = {
    ...filterParameters(filter),
    first: page.offset + 1,
    limit: page.limit,
    last: page.offset + page.limit,
  }
  const sql = (precautions: Precautions) => sessionsSql(filter, scope, precautions)
  const { row, isEstimate } = await runTraceQuery(reader, scope, { sql, parameters })
  const rows = rowsOf(row, 'page')
  const details = await readPageDetails(reader, scope, endsOf(rows))
  return {
    total: numberOf(row, 'total'),
    isEstimate,
    sessions: rows.map((session) => ({
      sessionId: textOf(session, 'session'),
      firstStartNs: bigintOf(session, 'first_turn'),
      lastStartNs: bigintOf(session, 'last_turn'),
      turnCount: numberOf(session, 'turns'),
      errorCount: numberOf(session, 'errors'),
      inputTokens: bigintOf(session, 'input_tokens'),
      outputTokens: bigintOf(session, 'output_tokens'),
      costNanoUsd: bigintOf(session, 'cost'),
      userId: textOf(session, 'user') || userIn(session, details),
      input: details.get(textOf(session, 'first_trace'))?.input ?? '',
      output: details.get(textOf(session, 'last_trace'))?.output ?? '',
    })),
  }
}

/** Returns the user that the log records of the first or the last turn name. */
function userIn(session: Row, details: ReadonlyMap<string, TraceDetails>): string {
  const users = ['first_trace', 'last_trace'].map(
    (turn) => details.get(textOf(session, turn))?.userId ?? '',
  )
  return users.find((user) => user !== '') ?? ''
}

/** The first and the last turns of sessions. */
function endsOf(sessions: readonly Row[]): PageTraces {
  const starts = sessions.flatMap((session) =>
    ['first_start', 'last_start'].map((column) => bigintOf(session, column)),
  )
  const ends = sessions.flatMap((session) =>
    ['first', 'last'].map((end) => ({
      traceId: textOf(session, `${end}_trace`),
      rootSpanId: textOf(session, `${end}_root`),
    })),
  )
  return {
    roots: [...new Map(ends.map((end) => [end.traceId, end])).values()],
    firstStartNs: starts.reduce((first, start) => (start < first ? start : first), starts[0] ?? 0n),
    lastStartNs: starts.reduce((last, start) => (start > last ? start : last), starts[0] ?? 0n),
  }
}

function filterParameters({
  sessionId,
  prefix,
  userId,
  hasErrors,
}: SessionFilter): QueryParameters {
  return {
    ...filterSql({ sessionId }).parameters,
    prefix: prefix ?? '',
    userId: userId ?? '',
    hasErrors: hasErrors === true ? 1 : 0,
  }
}

const TURN_ORDER = '(root_start, trace)'
const TRACE_ID = 'lower(hex(reinterpretAsFixedString(trace)))'
const ROOT_ID = `leftPad(lower(hex(root_span)), 16, '0')`

/** The columns of a session in the result, by name: the type and the aggregate over its turns. */
const SESSION = {
  session: ['String', 'session'],
  first_turn: ['String', 'toString(min(root_start))'],
  last_turn: ['String', 'toString(max(root_start))'],
  turns: ['UInt64', 'count()'],
  errors: ['UInt64', 'countIf(root_is_error OR has_failed_run)'],
  input_tokens: ['String', 'toString(sum(input_token_sum))'],
  output_tokens: ['String', 'toString(sum(output_token_sum))'],
  cost: ['String', 'toString(sum(cost_sum))'],
  user: ['String', `argMinIf(trace_user, ${TURN_ORDER}, trace_user != '')`],
  first_trace: ['String', `argMin(${TRACE_ID}, ${TURN_ORDER})`],
  first_root: ['String', `argMin(${ROOT_ID}, ${TURN_ORDER})`],
  last_trace: ['String', `argMax(${TRACE_ID}, ${TURN_ORDER})`],
  last_root: ['String', `argMax(${ROOT_ID}, ${TURN_ORDER})`],
  first_start: ['String', 'toString(min(trace_first_start))'],
  last_start: ['String', 'toString(max(trace_last_start))'],
} as const

const COLUMNS = {
  root: { root_is_error: 'is_error' },
  sums: {
    has_failed_run: 'max(is_failed_run)',
    trace_session: firstOf('session_id'),
    trace_user: firstOf('user_id'),
    trace_first_start: 'toUnixTimestamp64Nano(min(start_time))',
    trace_last_start: 'toUnixTimestamp64Nano(max(start_time))',
  },
  columns: ['is_error', 'is_failed_run', 'session_id', 'user_id'],
  countsTokens: true,
}

/**
 * Returns a query whose single row has the page of sessions. Traces that aren't in one of the
 * wanted sessions are in a group that the page omits but the diagnostics include.
 */
function sessionsSql(
  { sessionId, prefix, userId, hasErrors }: SessionFilter,
  scope: TraceScope,
  precautions: Precautions,
): string {
  const { isMatch: isWanted, tails } = filterSql({ sessionId })
  const isMatch = [
    `session != ''`,
    ...(prefix === undefined ? [] : ['startsWith(session, {prefix:String})']),
    ...(userId === undefined ? [] : ['user = {userId:String}']),
    ...(hasErrors === undefined ? [] : ['(errors > 0) = {hasErrors:UInt8}']),
  ].join(' AND ')
  const names = Object.keys(SESSION)
  const types = Object.entries(SESSION).map(([name, [type]]) => `${name} ${type}`)
  const aggregates = Object.entries(SESSION).map(([name, [, sum]]) => `${sum} AS ${name}`)
  const entries = `groupArrayIf((-last_order, session, (${names.join(', ')})), ${isMatch})`
  const sorted = `arrayPartialSort(entry -> (entry.1, entry.2), {last:UInt32}, ${entries})`
  return `
    SELECT ${DIAGNOSTIC_COLUMNS}, total,
      CAST(arrayMap(entry -> entry.3, entries), 'Array(Tuple(${types.join(', ')}))') AS page
    FROM (
      SELECT ${DIAGNOSTICS_OF_GROUPS}, countIf(${isMatch}) AS total,
        arraySlice(${sorted}, {first:UInt32}, {limit:UInt32}) AS entries
      FROM (
        SELECT ${DIAGNOSTICS}, if(${isWanted}, trace_session, '') AS session,
          max(root_start) AS last_order,
          ${aggregates.slice(1).join(',\n')}
        FROM (${tracesSql({ ...COLUMNS, tails }, scope, precautions)})
        GROUP BY session
      )
    )`
}
