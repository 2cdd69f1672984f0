import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { asSent, expectedTotals, expectedTraces, newestFirst } from './support/brute-force.ts'
import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const BASE_MS = Date.UTC(2026, 10, 20, 10, 0)
const HOUR_MS = 3_600_000
const NOW_MS = BASE_MS + 5 * HOUR_MS

let platform: Platform
let agentNumber = 0

beforeAll(async () => {
  platform = await startPlatform({}, { clock: () => NOW_MS })
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
})
afterAll(() => platform?.[Symbol.asyncDispose]())

/** A trace of a root and a child. */
const trace = fc.record({
  minute: fc.integer({ min: 0, max: 119 }),
  durationMs: fc.integer({ min: 1, max: 100_000 }),
  isError: fc.boolean(),
  buildId: fc.constantFrom('build-1', 'build-2'),
  name: fc.constantFrom('Answer', 'route', 'Straße'),
  input: fc.constantFrom('', 'Where is my parcel?', '100% _sure_', "it's \\ here"),
  childOutput: fc.constantFrom('', 'PARCEL 7', 'ÄRGER', 'nothing'),
})

type Drawn = typeof trace extends fc.Arbitrary<infer Value> ? Value : never

/** Around the sizes where the nearest rank changes: 19th of 20, 95th of 100, 96th of 101. */
const SIZES = [1, 19, 20, 21, 39, 40, 41, 99, 100, 101, 120]
const traces = fc
  .constantFrom(...SIZES)
  .chain((size) => fc.array(trace, { minLength: size, maxLength: size }))

const filter = fc.record({
  status: fc.constantFrom(TraceStatus.UNSPECIFIED, TraceStatus.OK, TraceStatus.ERROR),
  buildId: fc.constantFrom('', '', 'build-1', 'build-2', 'build-3'),
  query: fc.constantFrom(
    '',
    '',
    'parcel',
    'answer',
    'STRASSE',
    'straße',
    'ärger',
    '%',
    '_',
    "'",
    '\\',
    'absent',
  ),
  pageSize: fc.constantFrom(0, 1, 7, 20, 100, 500),
  skip: fc.constantFrom(0, 0, 1, 19, 100),
})

async function send(agent: string, drawn: readonly Drawn[]) {
  const sent = drawn.map(({ minute, durationMs, isError, buildId, name, input, childOutput }) => {
    const [traceId, spanId] = [newTraceId(), newSpanId()]
    const startMs = BASE_MS + minute * 60_000
    const root = {
      traceId,
      spanId,
      name,
      startMs,
      durationMs,
      isError,
      attributes: { 'input.value': input },
    }
    const child = {
      traceId,
      spanId: newSpanId(),
      parentSpanId: spanId,
      name: 'step',
      startMs: startMs + 1,
      attributes: { 'output.value': childOutput },
    }
    return { buildId, texts: [name, 'step', input, childOutput], spans: [root, child] }
  })
  for (const buildId of ['build-1', 'build-2']) {
    const token = `${agent}-${buildId}`
    platform.neighbours.tokens.set(token, { accountId: 'acc-1', agent, deploymentId: 'd', buildId })
    const spans = sent.filter((each) => each.buildId === buildId).flatMap((each) => each.spans)
    if (spans.length > 0) await sendSpans(platform.ingestUrl, token, spans)
  }
  return sent
}

function contains(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase())
}

test('percentiles and filtered lists equal brute force', async () => {
  await fc.assert(
    fc.asyncProperty(
      traces,
      fc.array(filter, { minLength: 3, maxLength: 5 }),
      async (drawn, filters) => {
        agentNumber += 1
        const agent = `agent-${agentNumber}`
        const sent = await send(agent, drawn)
        const spans = sent.flatMap((each) => asSent(each.spans, NOW_MS))
        const expected = newestFirst(expectedTraces(spans, NOW_MS))
        const facts = new Map(sent.map((each) => [each.spans[0]?.traceId, each]))

        const options = await platform.as('alice')
        const range = {
          start: timestampFromMs(BASE_MS),
          end: timestampFromMs(BASE_MS + 2 * HOUR_MS),
        }
        const request = { account: 'acme', name: agent, range }
        const summary = await platform.traces.getSummary(request, options)
        expect(summary.totalTraces).toBe(BigInt(drawn.length))
        expect(summary.p95LatencyMs).toBe(expectedTotals(expected).p95Ms)
        for (const intervalMinutes of [60, 120, 1440]) {
          const { buckets } = await platform.traces.getMetrics(
            { ...request, intervalMinutes },
            options,
          )
          for (const bucket of buckets) {
            const fromMs =
              bucket.startTime === undefined ? Number.NaN : timestampMs(bucket.startTime)
            const toMs = fromMs + intervalMinutes * 60_000
            const own = expectedTotals(
              expected.filter(({ startMs }) => startMs >= fromMs && startMs < toMs),
            )
            expect([bucket.traceCount, bucket.p95LatencyMs]).toEqual([BigInt(own.count), own.p95Ms])
          }
        }

        for (const wanted of filters) {
          const matching = expected.filter(({ traceId, isError }) => {
            const { buildId = '', texts = [] } = facts.get(traceId) ?? {}
            return (
              (wanted.status === TraceStatus.UNSPECIFIED ||
                isError === (wanted.status === TraceStatus.ERROR)) &&
              (wanted.buildId === '' || buildId === wanted.buildId) &&
              (wanted.query === '' || texts.some((text) => contains(text, wanted.query)))
            )
          })
          const page = await platform.traces.listTraces({ ...request, ...wanted }, options)
          expect(page.total).toBe(BigInt(matching.length))
          expect(page.traces.map(({ traceId }) => traceId)).toEqual(
            matching
              .slice(wanted.skip, wanted.skip + (wanted.pageSize || 50))
              .map(({ traceId }) => traceId),
          )
        }
      },
    ),
    {
      numRuns: rounds(20),
      examples: [20, 100, 101].map((size): [Drawn[], []] => [numbered(size), []]),
    },
  )
})

/** Makes traces that take 1 ms, 2 ms, and so on. */
function numbered(size: number): Drawn[] {
  return Array.from({ length: size }, (_, index) => ({
    minute: index % 120,
    durationMs: index + 1,
    isError: false,
    buildId: 'build-1' as const,
    name: 'Answer' as const,
    input: '' as const,
    childOutput: '' as const,
  }))
}
