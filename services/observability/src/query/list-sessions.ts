import type { Page } from '../domain/page.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { filterSql } from './filter-sql.ts'
import { readPageDetails } from './page-details.ts'
import { listOf, numberOf } from './query-rows.ts'
import { readSessions, type PlacedSessions, type Session } from './read-sessions.ts'
import { runTraceQuery } from './run-trace-query.ts'
import { placesSql, type SessionFilter } from './sessions-sql.ts'
import type { Precautions, TraceScope } from './traces-sql.ts'

/** If the turns of a page have more spans, SQL works them out. */
const MAX_SPANS = 8_000

/** A session with its turns in the range. */
export interface ListedSession extends Omit<Session, 'firstTurn' | 'lastTurn'> {
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

/** Which sessions of a list are returned. */
export interface SessionListing {
  readonly filter: SessionFilter
  readonly page: Page
  /** The maximum number of spans that are read one by one. */
  readonly maxSpans?: number
}

/**
 * Returns a page of sessions, those with the newest last turn first, ties by id. First finds out
 * which sessions these are, and then reads the rest only of their turns, because it is expensive.
 */
export async function listSessions(
  reader: TraceReader,
  scope: TraceScope,
  listing: SessionListing,
): Promise<SessionPage> {
  const { total, ...placed } = await placeSessions(reader, scope, listing)
  const { sessions, ends, isEstimate } = await readSessions(reader, scope, placed)
  const details = await readPageDetails(reader, scope, ends)
  return {
    total,
    isEstimate,
    sessions: sessions.map(({ firstTurn, lastTurn, ...session }) => {
      const [first, last] = [firstTurn, lastTurn].map(({ traceId }) => details.get(traceId))
      return {
        ...session,
        // If no span of a turn names the user, log records of the first or the last turn may.
        userId: session.userId || first?.userId || last?.userId || '',
        input: first?.input ?? '',
        output: last?.output ?? '',
      }
    }),
  }
}

/** Finds the sessions of a page, and the number of all that match. */
async function placeSessions(
  reader: TraceReader,
  scope: TraceScope,
  { filter, page, maxSpans = MAX_SPANS }: SessionListing,
): Promise<PlacedSessions & { total: number }> {
  const parameters = {
    ...filterParameters(filter),
    first: page.offset + 1,
    limit: page.limit,
    last: page.offset + page.limit,
    maxSpans,
  }
  const sql = (precautions: Precautions) => placesSql(filter, scope, precautions)
  const { row } = await runTraceQuery(reader, scope, { sql, parameters })
  return {
    total: numberOf(row, 'total'),
    sessionIds: listOf(row, 'sessions').map(String),
    tails: listOf(row, 'tails').map(Number),
  }
}

function filterParameters(filter: SessionFilter): QueryParameters {
  const { sessionId, prefix, userId, hasErrors } = filter
  return {
    ...filterSql({ sessionId }).parameters,
    prefix: prefix ?? '',
    userId: userId ?? '',
    hasErrors: hasErrors === true ? 1 : 0,
  }
}
