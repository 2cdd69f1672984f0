import { timestampFromMs, timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt'
import { TraceStatus, type TraceEntry } from '@slipway/proto/slipway/observability/v1/trace'
import fc from 'fast-check'
import { expect } from 'vitest'

import { KnownHours } from '../../src/query/known-hours.ts'
import { BASE_MS, query, requests } from './arbitrary-traces.ts'
import {
  asSent,
  expectedTotals,
  expectedTraces,
  newestFirst,
  type ExpectedTrace,
  type SentSpan,
} from './brute-force.ts'
import { compareSessions, filterName } from './compare-sessions.ts'
import { sendSpans } from './otlp.ts'
import { startPlatform, type Platform } from './platform.ts'

const HOUR_MS = 3_600_000
const GRACE_MS = 60_000
const SENT_MS = BASE_MS + 20 * HOUR_MS

/** Never goes back, because versions of spans don't either. */
let nowMs = SENT_MS
let agentNumber = 0

async function queryAll(
  platform: Platform,
  agent: string,
  [startMinute, endMinute]: readonly [number, number],
  interval: number,
) {
  const range = {
    start: timestampFromMs(BASE_MS + startMinute * 60_000),
    end: timestampFromMs(BASE_MS + endMinute * 60_000),
  }
  const options = await platform.as('alice')
  const request = { account: 'acme', name: agent, range }
  const page = (changes: object) =>
    platform.traces.listTraces({ ...request, pageSize: 2, ...changes }, options)
  const pages = await Promise.all([0, 2, 4, 6, 8].map((skip) => page({ skip })))
  const failed = await page({ status: TraceStatus.ERROR, pageSize: 500 })
  const metrics = await platform.traces.getMetrics(
    { ...request, intervalMinutes: interval },
    options,
  )
  const summary = await platform.traces.getSummary(request, options)
  return { pages, failed, metrics, summary }
}

async function getTrace(platform: Platform, name: string, traceId: string) {
  return await platform.traces.getTrace(
    { account: 'acme', name, traceId },
    await platform.as('alice'),
  )
}

/** The fields of a trace that lists have as well. */
function basicsOf(trace: TraceEntry | undefined) {
  const { traceId, name, status, latencyMs, input, output, startTime } = trace ?? {}
  return { traceId, name, status, latencyMs, input, output, startTime }
}

interface Usage {
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly costUsd?: number | undefined
}

function usageOf({ inputTokens, outputTokens, costUsd = 0 }: Usage) {
  return [inputTokens, outputTokens, costUsd]
}

/** Whether a trace started in a range. */
function isIn(fromMs: number, toMs: number): (trace: ExpectedTrace) => boolean {
  return ({ startMs }) => startMs >= fromMs && startMs < toMs
}

function toMs(time: Timestamp | undefined): number {
  return time === undefined ? Number.NaN : timestampMs(time)
}

/** Requests that are sent some time after the previous ones, and queries after that. */
const step = fc.record({
  afterMinutes: fc.constantFrom(0, 5, 30),
  sentRequests: requests,
  queries: fc.array(fc.tuple(query, filterName), { minLength: 1, maxLength: 2 }),
})

/**
 * Compares queries with brute force, for spans sent twice, late or without a parent. With a low
 * `maxSpans`, most traces are worked out in SQL.
 */
export async function compareQueries(maxSpans: number, numRuns: number): Promise<void> {
  await using platform = await startPlatform(
    { TRACE_GRACE_MS: String(GRACE_MS) },
    { clock: () => nowMs, knownHours: new KnownHours(maxSpans) },
  )
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      agentNumber += 1
      const agent = `agent-${agentNumber}`
      platform.neighbours.tokens.set(agent, {
        accountId: 'acc-1',
        agent,
        deploymentId: 'd',
        buildId: 'b',
      })
      const sent: SentSpan[] = []
      for (const { afterMinutes, sentRequests, queries } of steps) {
        nowMs += afterMinutes * 60_000
        for (const request of sentRequests) await sendSpans(platform.ingestUrl, agent, request)
        sent.push(...sentRequests.flatMap((request) => asSent(request, nowMs)))

        for (const [{ range, isSettled, interval }, name] of queries) {
          if (isSettled) nowMs += GRACE_MS + 1000
          const [startMs, endMs] = [BASE_MS + range[0] * 60_000, BASE_MS + range[1] * 60_000]
          const all = expectedTraces(sent, nowMs - GRACE_MS)
          const expected = newestFirst(all.filter(isIn(startMs, endMs)))
          const { pages, failed, metrics, summary } = await queryAll(
            platform,
            agent,
            range,
            interval,
          )

          expect(pages.map(({ total }) => Number(total))).toEqual(pages.map(() => expected.length))
          expect(
            pages.flatMap(({ traces }) =>
              traces.map(({ traceId, name, status, latencyMs, startTime }) => ({
                traceId,
                name,
                isError: status === TraceStatus.ERROR,
                startMs: toMs(startTime),
                durationMs: latencyMs,
              })),
            ),
          ).toEqual(
            expected.map(({ traceId, name, isError, startMs, durationMs }) => ({
              traceId,
              name,
              isError,
              startMs,
              durationMs,
            })),
          )
          expect(pages.flatMap(({ traces }) => traces.map(usageOf))).toEqual(expected.map(usageOf))
          for (const listed of pages[0]?.traces ?? []) {
            const { trace, ...found } = await getTrace(platform, agent, listed.traceId)
            expect(listed).toMatchObject(basicsOf(trace))
            expect(usageOf(found)).toEqual(usageOf(listed))
          }
          await compareSessions(platform, { agent, startMs, endMs, name }, all)
          expect(failed.traces.map(({ traceId }) => traceId)).toEqual(
            expected.filter(({ isError }) => isError).map(({ traceId }) => traceId),
          )

          const totals = expectedTotals(expected)
          expect(summary).toMatchObject({
            totalTraces: BigInt(totals.count),
            p95LatencyMs: totals.p95Ms,
            totalTokens: totals.inputTokens + totals.outputTokens,
            costUsd: totals.costUsd,
            isTokenEstimate: false,
            errorRate: totals.count === 0 ? 0 : totals.errorCount / totals.count,
            tracesPerHour: (totals.count * HOUR_MS) / (endMs - startMs),
          })
          expect(summary.avgLatencyMs).toBeCloseTo(totals.avgMs, 6)

          const intervalMs = interval * 60_000
          const first = Math.floor(startMs / intervalMs) * intervalMs
          const starts = Array.from(
            { length: Math.ceil((endMs - first) / intervalMs) },
            (_, n) => first + n * intervalMs,
          )
          expect(metrics.buckets.map(({ startTime }) => toMs(startTime))).toEqual(starts)
          for (const [index, bucket] of metrics.buckets.entries()) {
            const from = starts[index] ?? 0
            const own = expectedTotals(expected.filter(isIn(from, from + intervalMs)))
            expect(bucket).toMatchObject({
              traceCount: BigInt(own.count),
              errorCount: BigInt(own.errorCount),
              p95LatencyMs: own.p95Ms,
              inputTokens: own.inputTokens,
              outputTokens: own.outputTokens,
              costUsd: own.costUsd,
            })
            expect(bucket.avgLatencyMs).toBeCloseTo(own.avgMs, 6)
          }
        }
      }
    }),
    { numRuns },
  )
}
