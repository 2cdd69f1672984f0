import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

import { fromBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { expect, test } from 'vitest'

import {
  encodeRequest,
  newSpanId,
  newTraceId,
  post,
  sendSpans,
  toOtlpSpan,
} from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const MIB = 1024 * 1024
const JSON_GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
const GZIP = { 'content-encoding': 'gzip' }
const span = () => ({ traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() - 1000 })

/** Starts observability with the ingest tokens `mallory` and `alice` of two accounts. */
async function startForTwo(env: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const platform = await startPlatform(env)
  for (const name of ['mallory', 'alice']) {
    const owner = {
      accountId: `acc-${name}`,
      agent: 'helper',
      deploymentId: `dep-${name}`,
      buildId: 'b',
    }
    platform.neighbours.tokens.set(name, owner)
  }
  return platform
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, arrayBuffer } = await response.then((answer) => ({
    status: answer.status,
    arrayBuffer: answer.arrayBuffer(),
  }))
  await arrayBuffer
  return status
}

test('a request beyond the memory limit gets a 429, and others go on', async () => {
  await using platform = await startForTwo({ OTLP_MAX_PENDING_BYTES: '20000' })
  const large = encodeRequest(Array.from({ length: 1000 }, () => toOtlpSpan(span())))
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const response = await post(platform.ingestUrl, 'mallory', large)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
    await sendSpans(platform.ingestUrl, 'mallory', [span()])
  }
})

test('small bodies that decompress to gigabytes get a 413, and the process survives', async () => {
  await using platform = await startForTwo()
  const spans = (count: number) =>
    `{"resourceSpans":[{"scopeSpans":[{"spans":[${'{},'.repeat(count)}{}]}]}]}`
  const gzip = (body: string | Buffer) => new Uint8Array(gzipSync(body))
  const send = (body: string | Buffer, headers: Readonly<Record<string, string>>) =>
    statusOf(post(platform.ingestUrl, 'mallory', gzip(body), headers))
  expect(await send(spans(21 * MIB), JSON_GZIP)).toBe(413)
  expect(await send(spans(5 * MIB), JSON_GZIP)).toBe(413)
  expect(await send(`{"resourceSpans":[${'{},'.repeat(5 * MIB)}{}]}`, JSON_GZIP)).toBe(413)
  expect(await send(`{"x":"${'y'.repeat(33 * MIB)}"}`, JSON_GZIP)).toBe(413)
  // What isn't on the way to a span is skipped.
  expect(await send(`{"x":[${'1,'.repeat(15 * MIB)}1]}`, JSON_GZIP)).toBe(200)
  expect(await send(Buffer.alloc(31 * MIB, Buffer.from('0a00', 'hex')), GZIP)).toBe(413)
  await sendSpans(platform.ingestUrl, 'alice', [span()])
})

test('concurrent large bodies of an account use only its share of memory', async () => {
  await using platform = await startForTwo()
  // An unknown field, which is skipped.
  const body = Buffer.concat([Buffer.from('7a80808008', 'hex'), Buffer.alloc(16 * MIB)])
  const packed = new Uint8Array(gzipSync(body))
  const answers = Array.from({ length: 24 }, () =>
    statusOf(post(platform.ingestUrl, 'mallory', packed, GZIP)),
  )
  await sendSpans(platform.ingestUrl, 'alice', [span()])
  const statuses = new Set(await Promise.all(answers))
  expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([])
  // The memory is released.
  expect(await statusOf(post(platform.ingestUrl, 'mallory', packed, GZIP))).toBe(200)
})

/** Announces a large body and sends its first byte. */
async function sendSlowly(url: URL, token: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST ${url.pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/x-protobuf\r\nContent-Length: ${16 * MIB}\r\n\r\n\x0a`,
  )
  return socket
}

test('slow senders delay no one, and get a 408', async () => {
  await using platform = await startForTwo({ OTLP_BODY_TIMEOUT_MS: '3000' })
  const sockets = await Promise.all(
    Array.from({ length: 40 }, () => sendSlowly(new URL(platform.ingestUrl), 'mallory')),
  )
  const answers = sockets.map(() => '')
  sockets.forEach((socket, index) =>
    socket.on('data', (chunk: Buffer) => (answers[index] += chunk.toString())),
  )
  await sendSpans(platform.ingestUrl, 'alice', [span()])
  await sendSpans(platform.ingestUrl, 'mallory', [span()])
  await Promise.all(sockets.map(async (socket) => socket.closed || (await once(socket, 'close'))))
  expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 408 '))).toEqual([])
})

test('an invalid span is rejected, and the others of its request are stored', async () => {
  await using platform = await startForTwo()
  const encoded = Buffer.from(
    encodeRequest([toOtlpSpan({ ...span(), name: 'broken!' }), toOtlpSpan(span())]),
  )
  // The name is longer than its span.
  encoded[encoded.indexOf('broken!') - 1] = 0x7f
  const response = await post(platform.ingestUrl, 'alice', new Uint8Array(encoded))
  const { partialSuccess } = fromBinary(
    ExportTraceServiceResponseSchema,
    new Uint8Array(await response.arrayBuffer()),
  )
  expect(partialSuccess).toMatchObject({
    rejectedSpans: 1n,
    errorMessage: '1 × the record cannot be decoded',
  })
  const nowNs = BigInt(Date.now()) * 1_000_000n
  const times = { startTimeUnixNano: String(nowNs), endTimeUnixNano: String(nowNs) }
  const half = { traceId: newTraceId(), spanId: newSpanId(), name: 'cut \ud83d', ...times }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [half] }] }] })
  const answer = await post(platform.ingestUrl, 'alice', body, {
    'content-type': 'application/json',
  })
  expect([answer.status, await answer.json()]).toEqual([200, {}])
})

test('stores spans of more weeks than ClickHouse allows in one insert by default', async () => {
  await using platform = await startForTwo({ TRACE_RETENTION_DAYS: '3650' })
  const weeks = Array.from({ length: 200 }, (_, week) => ({
    ...span(),
    startMs: Date.now() - week * 7 * 86_400_000,
  }))
  expect((await sendSpans(platform.ingestUrl, 'alice', weeks)).partialSuccess).toBeUndefined()
})

test('connections of an address are limited', async () => {
  await using platform = await startForTwo({ OTLP_MAX_CONNECTIONS_PER_ADDRESS: '2' })
  const { hostname, port } = new URL(platform.ingestUrl)
  const open = async () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write('GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n')
    const answered = once(socket, 'data').then(() => true)
    const isKept = await Promise.race([answered, once(socket, 'close').then(() => false)])
    return { socket, isKept }
  }
  const opened = [await open(), await open(), await open()]
  expect(opened.map(({ isKept }) => isKept)).toEqual([true, true, false])
  for (const { socket } of opened) socket.destroy()
})
