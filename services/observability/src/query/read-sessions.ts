import { compare } from '../domain/compare.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { tracesOfRuns, type PageTraces } from './page-details.ts'
import { bigintOf, numberOf, rowsOf, textOf, type Row } from './query-rows.ts'
import { readRunsByTail } from './read-runs.ts'
import { runTraceQuery } from './run-trace-query.ts'
import { totalsOfRuns } from './run-totals.ts'
import type { Run } from './run.ts'
import { sessionsSql } from './sessions-sql.ts'
import type { Precautions, TraceScope } from './traces-sql.ts'

/** Which sessions are on a page. */
export interface PlacedSessions {
  /** In the order of the page. */
  readonly sessionIds: readonly string[]
  /** The tails of all their turns; empty if these have too many spans to be read one by one. */
  readonly tails: readonly number[]
}

/** A session without its texts. */
export interface Session<End extends Turn = Turn> {
  readonly sessionId: string
  readonly firstStartNs: bigint
  readonly lastStartNs: bigint
  readonly turnCount: number
  readonly errorCount: number
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly costNanoUsd: bigint
  /** That of the first turn that has one; empty if none has. */
  readonly userId: string
  readonly firstTurn: End
  readonly lastTurn: End
}

type Turn = PageTraces['roots'][number]

/** The sessions of a page. */
export interface PageSessions {
  readonly sessions: readonly Session[]
  /** Their first and last turns. */
  readonly ends: PageTraces
  /** Whether tokens are estimated; see TraceResult. */
  readonly isEstimate: boolean
}

/** Works out the sessions of a page. Those that have been deleted meanwhile are omitted. */
export async function readSessions(
  reader: TraceReader,
  scope: TraceScope,
  { sessionIds, tails }: PlacedSessions,
): Promise<PageSessions> {
  if (sessionIds.length === 0) return sessionsOfRuns([], [])
  const runs = tails.length === 0 ? undefined : await readRunsByTail(reader, scope, tails)
  return runs === undefined
    ? await sumSessions(reader, scope, sessionIds)
    : sessionsOfRuns(runs, sessionIds)
}

/** Works out sessions from their turns. Those of other sessions are ignored. */
function sessionsOfRuns(runs: readonly Run[], sessionIds: readonly string[]): PageSessions {
  const turns = Map.groupBy(runs, ({ sessionId }) => sessionId)
  const sessions = sessionIds.flatMap((id) => sessionOfRuns(id, turns.get(id) ?? []))
  const ends = sessions.flatMap(({ firstTurn, lastTurn }) => [firstTurn, lastTurn])
  return { sessions, ends: tracesOfRuns([...new Set(ends)]), isEstimate: false }
}

function sessionOfRuns(sessionId: string, turns: readonly Run[]): readonly Session<Run>[] {
  const sorted = turns.toSorted(
    (a, b) => compare(a.startTimeNs, b.startTimeNs) || compare(a.traceId, b.traceId),
  )
  const [firstTurn, lastTurn] = [sorted.at(0), sorted.at(-1)]
  if (firstTurn === undefined || lastTurn === undefined) return []
  const { count, errorCount, inputTokens, outputTokens, costNanoUsd } = totalsOfRuns(turns)
  return [
    {
      sessionId,
      firstStartNs: firstTurn.startTimeNs,
      lastStartNs: lastTurn.startTimeNs,
      turnCount: count,
      errorCount,
      inputTokens,
      outputTokens,
      costNanoUsd,
      userId: sorted.find(({ userId }) => userId !== '')?.userId ?? '',
      firstTurn,
      lastTurn,
    },
  ]
}

/** Works out sessions in SQL. */
async function sumSessions(
  reader: TraceReader,
  scope: TraceScope,
  sessionIds: readonly string[],
): Promise<PageSessions> {
  const sql = (precautions: Precautions) => sessionsSql(scope, precautions)
  const query = { sql, parameters: { sessionIds } }
  const { row, isEstimate } = await runTraceQuery(reader, scope, query)
  const rows = new Map(
    rowsOf(row, 'sessions').map((each) => [textOf(each, 'session'), each] as const),
  )
  const ordered = sessionIds.flatMap<Row>((id) => rows.get(id) ?? [])
  const sessions = ordered.map(sessionOfRow)
  const roots = sessions.flatMap(({ firstTurn, lastTurn }) => [firstTurn, lastTurn])
  const times = ordered
    .flatMap((each) => [bigintOf(each, 'first_start'), bigintOf(each, 'last_start')])
    .toSorted(compare)
  return {
    sessions,
    ends: {
      roots: [...new Map(roots.map((root) => [root.traceId, root])).values()],
      firstStartNs: times.at(0) ?? 0n,
      lastStartNs: times.at(-1) ?? 0n,
    },
    isEstimate,
  }
}

function sessionOfRow(row: Row): Session {
  return {
    sessionId: textOf(row, 'session'),
    firstStartNs: bigintOf(row, 'first_turn'),
    lastStartNs: bigintOf(row, 'last_turn'),
    turnCount: numberOf(row, 'turns'),
    errorCount: numberOf(row, 'errors'),
    inputTokens: bigintOf(row, 'input_tokens'),
    outputTokens: bigintOf(row, 'output_tokens'),
    costNanoUsd: bigintOf(row, 'cost'),
    userId: textOf(row, 'user'),
    firstTurn: { traceId: textOf(row, 'first_trace'), rootSpanId: textOf(row, 'first_root') },
    lastTurn: { traceId: textOf(row, 'last_trace'), rootSpanId: textOf(row, 'last_root') },
  }
}
