import { connect } from 'node:http2'

import { create, toBinary, toJson } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, startWithAccounts } from './support/agents.ts'
import { newTraceId, post } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'
import { exportRaw } from './support/raw-export.ts'
import { CASES, type Case } from './support/sent-cases.ts'
import { toAnyValue } from './support/sent-span.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

function spanId(place: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([0, 0, 0, 0, 0, 0, 0, place])
}

function requestOf({ scope = 'case', spans }: Case) {
  const startedMs = Date.now() - 60_000
  const traceId = Buffer.from(newTraceId(), 'hex')
  const toNs = (ms: number) => BigInt(startedMs + ms) * 1_000_000n
  const sent = spans.map(({ attributes, parent, startMs = 0, durationMs = 1000 }, index) => ({
    traceId,
    spanId: spanId(index + 1),
    parentSpanId: parent === undefined ? new Uint8Array() : spanId(parent),
    name: 'work',
    startTimeUnixNano: toNs(startMs),
    endTimeUnixNano: toNs(startMs + durationMs),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: toAnyValue(value),
    })),
  }))
  return create(ExportTraceServiceRequestSchema, {
    resourceSpans: [{ scopeSpans: [{ scope: { name: scope }, spans: sent }] }],
  })
}

/**
 * Puts a byte that is not UTF-8 where a text is cut; lengths stay the same. Ids and times, which
 * may have any byte, stay as they are.
 */
function withCuts(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const cut = Buffer.from(body).toString('latin1').replaceAll('Gr~', 'Gr\u{c3}')
  return Uint8Array.from(Buffer.from(cut, 'latin1'))
}

/** OTLP's JSON has ids in hexadecimal, and SDKs for JavaScript send `null` for nothing. */
function jsonOf(request: ReturnType<typeof requestOf>): string {
  return JSON.stringify(toJson(ExportTraceServiceRequestSchema, request), (key, value: unknown) => {
    if (['traceId', 'spanId', 'parentSpanId'].includes(key))
      return Buffer.from(String(value), 'base64').toString('hex')
    const isNothing = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return isNothing && !Array.isArray(value) && key !== '' ? null : value
  })
}

const ENCODINGS = ['protobuf', 'JSON', 'gRPC'] as const

async function send(token: string, sent: Case, encoding: (typeof ENCODINGS)[number]) {
  const request = requestOf(sent)
  const binary = withCuts(toBinary(ExportTraceServiceRequestSchema, request))
  if (encoding === 'gRPC') {
    const session = connect(`http://${platform.service.otlpGrpcAddresses[0]}`)
    try {
      const status = await exportRaw(session, token, binary)
      if (status !== 0) throw new Error(`the ingest returned ${status}`)
    } finally {
      session.destroy()
    }
    return
  }
  const isJson = encoding === 'JSON'
  const body = isJson ? withCuts(Buffer.from(jsonOf(request))) : binary
  // Names of types may have any case, and parameters.
  const type = isJson ? 'Application/JSON; charset=utf-8' : 'application/x-protobuf'
  const response = await post(platform.ingestUrl, token, body, { 'content-type': type })
  expect([response.status, (await response.text()).replace('{}', '')]).toEqual([200, ''])
}

const sendings = Object.entries(CASES).flatMap(([name, sent]) =>
  ENCODINGS.map((encoding) => ({ name, encoding, sent })),
)

test.each(sendings)('$name is shown as it was, over $encoding', async ({ sent, encoding }) => {
  const { name, token } = newAgent(platform)
  await send(token, sent, encoding)
  const { traces } = await listTraces(platform, name)
  expect(traces).toHaveLength(1)
  const [listed] = traces
  const read = await platform.traces.getTrace(
    { account: 'acme', name, traceId: listed?.traceId ?? '' },
    await platform.as('alice'),
  )
  const { costUsd, ...facts } = sent.shown
  expect(listed).toMatchObject(facts)
  const cost = listed?.costUsd ?? 0
  expect(cost).toBeCloseTo(Number(costUsd ?? cost), 9)
  expect(read.costUsd ?? 0).toBe(cost)
  expect(read.spans).toHaveLength(sent.spans.length)
  expect(read.trace).toMatchObject({ input: listed?.input, output: listed?.output })
})
