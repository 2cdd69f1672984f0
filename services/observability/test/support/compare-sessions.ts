import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { expect } from 'vitest'

import { userIds } from './arbitrary-traces.ts'
import { expectedTotals, type ExpectedTrace } from './brute-force.ts'
import type { Platform } from './platform.ts'

const PAGE_SIZE = 2

const [USER = ''] = userIds
/** Filters of lists of sessions, and which sessions match. */
const filters = {
  none: { filter: {}, isMatch: () => true },
  prefix: { filter: { query: 'chat ' }, isMatch: ({ shown }) => shown.sessionId === 'chat 2' },
  user: { filter: { userId: USER }, isMatch: ({ shown }) => shown.userId === USER },
  failed: { filter: { hasErrors: true }, isMatch: ({ shown }) => shown.errorCount > 0n },
  others: { filter: { hasErrors: false }, isMatch: ({ shown }) => shown.errorCount === 0n },
} satisfies Record<string, { filter: object; isMatch: (session: Session) => boolean }>

type Filter = keyof typeof filters

/** The name of a filter. */
export const filterName = fc.constantFrom<Filter>('none', 'prefix', 'user', 'failed', 'others')

/** What to list, and by which filter. */
interface Listing {
  readonly agent: string
  readonly startMs: number
  readonly endMs: number
  readonly name: Filter
}

/**
 * Compares a list of sessions with those of the agent's traces in the range, and one session with
 * all of its turns.
 */
export async function compareSessions(
  platform: Platform,
  { agent, startMs, endMs, name }: Listing,
  traces: readonly ExpectedTrace[],
): Promise<void> {
  const range = { start: timestampFromMs(startMs), end: timestampFromMs(endMs) }
  const request = { account: 'acme', name: agent, range }
  const options = await platform.as('alice')
  const { filter, isMatch } = filters[name]
  const inRange = traces.filter((trace) => trace.startMs >= startMs && trace.startMs < endMs)
  const expected = expectedSessions(inRange).filter(isMatch)
  const pages = await Promise.all(
    [0, PAGE_SIZE].map((skip) =>
      platform.traces.listSessions({ ...request, ...filter, skip, pageSize: PAGE_SIZE }, options),
    ),
  )
  const sessions = pages.flatMap((page) => page.sessions)
  expect(pages.map(({ total }) => Number(total))).toEqual(pages.map(() => expected.length))
  expect(sessions).toMatchObject(expected.map(({ shown }) => shown))
  expect(
    sessions.map(({ firstStartTime, lastStartTime }) =>
      [firstStartTime, lastStartTime].map((time) => time && timestampMs(time)),
    ),
  ).toEqual(expected.map(({ startsMs }) => startsMs))
  const [session] = expectedSessions(traces)
  if (session !== undefined) await compareSession(platform, agent, session)
}

async function compareSession(platform: Platform, name: string, { shown, turns }: Session) {
  const { sessionId } = shown
  const request = { account: 'acme', name, sessionId }
  const found = await platform.traces.getSession(request, await platform.as('alice'))
  expect(found.session).toMatchObject(shown)
  expect(found.turns.map(({ traceId }) => traceId)).toEqual(turns.map(({ traceId }) => traceId))
  expect([found.turns.at(0)?.input, found.turns.at(-1)?.output]).toEqual([
    found.session?.input,
    found.session?.output,
  ])
}

type Session = ReturnType<typeof expectedSessions>[number]

/** Returns the sessions of traces, those with the newest last turn first. */
function expectedSessions(traces: readonly ExpectedTrace[]) {
  const inSession = traces.filter(({ sessionId }) => sessionId !== '')
  const grouped = Map.groupBy(inSession, ({ sessionId }) => sessionId)
  return [...grouped]
    .map(([sessionId, members]) => {
      const turns = members.toSorted(
        (a, b) => a.startMs - b.startMs || (a.traceId < b.traceId ? -1 : 1),
      )
      const { count, errorCount, inputTokens, outputTokens, costUsd } = expectedTotals(turns)
      const shown = {
        sessionId,
        turnCount: BigInt(count),
        errorCount: BigInt(errorCount),
        inputTokens,
        outputTokens,
        costUsd,
        userId: turns.find(({ userId }) => userId !== '')?.userId ?? '',
      }
      const startsMs = [turns.at(0)?.startMs ?? 0, turns.at(-1)?.startMs ?? 0] as const
      return { shown, startsMs, turns }
    })
    .toSorted(
      (a, b) => b.startsMs[1] - a.startsMs[1] || (a.shown.sessionId < b.shown.sessionId ? -1 : 1),
    )
}
