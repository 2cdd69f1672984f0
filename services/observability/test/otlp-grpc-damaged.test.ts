import { connect } from 'node:http2'

import { create, toBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { LogRecordSchema } from '@slipway/proto/opentelemetry/proto/logs/v1/logs'
import { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { toOtlpSpan, type TestSpan } from './support/otlp.ts'
import { logsRequest, question } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'
import { exportRaw } from './support/raw-export.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]()
})

/** Sends a request on its own connection: the server lets none become old. */
async function send(token: string, request: Uint8Array, signal: 'trace' | 'logs'): Promise<number> {
  const session = connect(`http://${platform.service.otlpGrpcAddresses[0]}`)
  try {
    return await exportRaw(session, token, request, signal)
  } finally {
    session.destroy()
  }
}

/** A message with a field of bytes for each part. */
function message(number: number, parts: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const part of parts) writer.tag(number, WireType.LengthDelimited).bytes(part)
  return writer.finish()
}

/** A request has its records in resources, in scopes. */
const requestOf = (records: readonly Uint8Array[]) =>
  message(1, [message(2, [message(2, records)])])

const spanBytes = (span: TestSpan) => toBinary(SpanSchema, create(SpanSchema, toOtlpSpan(span)))

function logBytes(span: TestSpan): Uint8Array {
  const [log] =
    logsRequest([question('Why?', span)]).resourceLogs[0]?.scopeLogs[0]?.logRecords ?? []
  return toBinary(LogRecordSchema, log ?? create(LogRecordSchema))
}

/** Where bytes differ, and how many are left. */
const damage = fc.record({
  changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
  length: fc.nat(),
})

interface Damage {
  readonly changes: readonly (readonly [number, number])[]
  readonly length: number
}

function damaged(bytes: Uint8Array, { changes, length }: Damage): readonly Uint8Array[] {
  const changed = Uint8Array.from(bytes)
  for (const [place, byte] of changes) changed[place % bytes.length] = byte
  return [changed, bytes.slice(0, length % bytes.length)]
}

/** Sends good records around damaged ones. Returns the questions of the good traces. */
async function questionsAround(bytesOf: (span: TestSpan) => Uint8Array, signal: 'trace' | 'logs') {
  const { name, token } = newAgent(platform)
  const good: string[] = []
  const one = fc.asyncProperty(damage, async (given) => {
    const [first, last] = [rootSpan(), rootSpan()]
    const between = damaged(bytesOf(rootSpan()), given)
    const request = requestOf([bytesOf(first), ...between, bytesOf(last)])
    expect(await send(token, request, signal)).toBe(0)
    const spans = signal === 'trace' ? [] : [first, last].map(spanBytes)
    expect(await send(token, requestOf(spans), 'trace')).toBe(0)
    good.push(first.traceId, last.traceId)
  })
  await fc.assert(one, { numRuns: rounds(12) })
  const { traces } = await listTraces(platform, name, { pageSize: 500 })
  const inputs = new Map(traces.map(({ traceId, input }) => [traceId, input]))
  return { good, found: good.map((traceId) => inputs.get(traceId)) }
}

test('damaged spans over gRPC cost no other', async () => {
  const { good, found } = await questionsAround(spanBytes, 'trace')
  expect(found).toEqual(good.map(() => ''))
})

test('damaged log records over gRPC cost no other', async () => {
  const { good, found } = await questionsAround(logBytes, 'logs')
  expect(found).toEqual(good.map(() => 'Why?'))
})
