import { timestampFromMs, timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt'
import { TraceStatus, type TraceEntry } from '@slipway/proto/slipway/observability/v1/trace'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  asSent,
  expectedTotals,
  expectedTraces,
  newestFirst,
  type ExpectedTrace,
} from './support/brute-force.ts'
import { sendSpans, type TestSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const HOUR_MS = 3_600_000
const GRACE_MS = 60_000
/**
 * The last hour before daylight saving ends in Central Europe, so that a local clock would show.
 */
const BASE_MS = Date.UTC(2026, 9, 25, 0, 0)
const SENT_MS = BASE_MS + 20 * HOUR_MS

let platform: Platform
let nowMs = SENT_MS
let agentNumber = 0

beforeAll(async () => {
  platform = await startPlatform({ TRACE_GRACE_MS: String(GRACE_MS) }, { clock: () => nowMs })
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
})
afterAll(() => platform?.[Symbol.asyncDispose]())

const traceIds = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(32))
/** Two trace ids with the same last bytes, by which their spans are found. */
traceIds.push(`${'f'.repeat(16)}${'a'.repeat(16)}`)
const spanIds = ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(16))

const span: fc.Arbitrary<TestSpan> = fc
  .record({
    traceId: fc.constantFrom(...traceIds),
    spanId: fc.constantFrom(...spanIds),
    parent: fc.constantFrom('', '', ...spanIds, '9'.repeat(16)),
    isRemote: fc.boolean(),
    startMs: fc
      .constantFrom(0, 1, 30, 59, 60, 60, 119, 120, 300)
      .map((minutes) => BASE_MS + minutes * 60_000),
    durationMs: fc.constantFrom(0, 0.5, 1, 1, 20, 1000, 7_200_000),
    isError: fc.boolean(),
    name: fc.constantFrom('one', 'two', 'three'),
    isCall: fc.boolean(),
    tokens: fc.constantFrom(0n, 1n, 100n, 2n ** 53n + 1n),
  })
  .map(({ parent, isRemote, isCall, tokens, ...fields }) => ({
    ...fields,
    parentSpanId: parent === fields.spanId ? '' : parent,
    flags: isRemote ? 0x300 : 0,
    attributes: {
      'gen_ai.operation.name': isCall ? 'chat' : 'invoke_agent',
      'gen_ai.usage.input_tokens': tokens,
      'gen_ai.usage.output_tokens': tokens / 2n,
    },
  }))

/**
 * Requests that bring spans each of which is, by way of others, its own parent: together or one by
 * one.
 */
const ring = fc
  .tuple(
    fc.constantFrom('6'.repeat(32), '7'.repeat(32)),
    fc.array(span, { minLength: 2, maxLength: 4 }),
    fc.boolean(),
  )
  .map(([traceId, drawn, isSplit]): TestSpan[][] => {
    const idOf = (index: number) => spanIds[index % drawn.length] ?? ''
    const spans = drawn.map((each, index) => {
      return { ...each, traceId, spanId: idOf(index), parentSpanId: idOf(index + 1), flags: 0 }
    })
    return isSplit ? spans.map((each) => [each]) : [spans]
  })
const plain = fc
  .array(span, { minLength: 1, maxLength: 6 })
  .map((request): TestSpan[][] => [request])
const sending = fc
  .array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: ring }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((requests) => requests.flat())

const minutes = fc.constantFrom(0, 1, 30, 59, 60, 61, 90, 120, 121, 301)
/** Twenty days before: most of the time that traces are kept, for which other queries are made. */
const LONG_BEFORE = -20 * 1440
const question = fc
  .record({
    range: fc
      .tuple(fc.oneof(minutes, fc.constant(LONG_BEFORE)), minutes)
      .filter(([start, end]) => start < end),
    isSettled: fc.boolean(),
    interval: fc.constantFrom(1, 7, 60, 1440),
  })
  .map((asked) => (asked.range[0] === LONG_BEFORE ? { ...asked, interval: 1440 } : asked))

async function ask(
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

async function askTrace(name: string, traceId: string): Promise<TraceEntry | undefined> {
  const { trace } = await platform.traces.getTrace(
    { account: 'acme', name, traceId },
    await platform.as('alice'),
  )
  return trace
}

/** Whether a trace began in a range. */
function isIn(fromMs: number, toMs: number): (trace: ExpectedTrace) => boolean {
  return ({ startMs }) => startMs >= fromMs && startMs < toMs
}

function toMs(time: Timestamp | undefined): number {
  return time === undefined ? Number.NaN : timestampMs(time)
}

test('every answer equals brute force over what was sent, whatever came twice, late or without its parent', async () => {
  await fc.assert(
    fc.asyncProperty(
      sending,
      fc.array(question, { minLength: 1, maxLength: 2 }),
      async (requests, questions) => {
        agentNumber += 1
        const agent = `agent-${agentNumber}`
        platform.neighbours.tokens.set(agent, {
          accountId: 'acc-1',
          agent,
          deploymentId: 'd',
          buildId: 'b',
        })
        nowMs = SENT_MS
        for (const request of requests) await sendSpans(platform.ingestUrl, agent, request)
        const sent = requests.flatMap((request) => asSent(request, SENT_MS))

        for (const { range, isSettled, interval } of questions) {
          nowMs = isSettled ? SENT_MS + GRACE_MS + 1000 : SENT_MS
          const [startMs, endMs] = [BASE_MS + range[0] * 60_000, BASE_MS + range[1] * 60_000]
          const expected = newestFirst(
            expectedTraces(sent, nowMs - GRACE_MS).filter(isIn(startMs, endMs)),
          )
          const { pages, failed, metrics, summary } = await ask(agent, range, interval)

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
          for (const { traces } of pages.slice(0, 1)) {
            for (const listed of traces)
              expect(await askTrace(agent, listed.traceId)).toEqual(listed)
          }
          expect(failed.traces.map(({ traceId }) => traceId)).toEqual(
            expected.filter(({ isError }) => isError).map(({ traceId }) => traceId),
          )

          const totals = expectedTotals(expected)
          expect(summary).toMatchObject({
            totalTraces: BigInt(totals.count),
            p95LatencyMs: totals.p95Ms,
            totalTokens: totals.inputTokens + totals.outputTokens,
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
            })
            expect(bucket.avgLatencyMs).toBeCloseTo(own.avgMs, 6)
          }
        }
      },
    ),
    { numRuns: 40 },
  )
})
