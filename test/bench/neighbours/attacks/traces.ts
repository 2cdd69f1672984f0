import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import { newTraceId } from '../../../support/ingest.ts'
import { AGENT } from '../people.ts'
import { repeat, type Attack, type Attacker } from './attack.ts'

const MIB = 1024 * 1024
/** The most spans of a trace that a response has, in requests within the limits of ingest. */
const SPANS = 5_000
const SPANS_PER_REQUEST = 1_000
/** Together about 3 MiB and 50,000 values, the most that a response has. */
const ATTRIBUTES = 9
const TEXT = 'x'.repeat(50)
/** How long spans take until they can be read. */
const STORED_MS = 500

/** Attacks with large traces. */
export const traces: Readonly<Record<string, Attack>> = {
  'details of large traces': async (attacker) => {
    const path = await sendLargeTrace(attacker)
    await repeat(16, () => read(attacker, path))
  },
  'exports of large traces': async (attacker) => {
    const path = await sendLargeTrace(attacker)
    await repeat(16, () => read(attacker, `${path}/export`))
  },
  'largest pages of traces': async (attacker) => {
    const path = await sendLargeTrace(attacker)
    for (let count = 0; count < 5; count += 1) await sendLargeTrace(attacker)
    const list = path.slice(0, path.lastIndexOf('/'))
    let count = 0
    await repeat(16, () =>
      read(attacker, `${list}?limit=500&q=x${'%25'.repeat(40)}${(count += 1)}`),
    )
  },
  'hostile OTLP': async ({ system, person, deployed }) => {
    const nested = '{"arrayValue":{"values":['.repeat(100_000)
    const requests = [
      { body: Buffer.from(`{"resourceSpans":${nested}`) },
      { body: Buffer.from(`{"resourceSpans":[${'{},'.repeat(1_000_000)}{}]}`) },
      { body: gzipSync(Buffer.alloc(64 * MIB, ' ')), headers: { 'content-encoding': 'gzip' } },
      { body: randomBytes(MIB), headers: { 'content-type': 'application/x-protobuf' } },
    ]
    await repeat(deployed.length * requests.length, async (index) => {
      const { ingestToken: token } = deployed[index % deployed.length] ?? {}
      const request = requests[index % requests.length]
      await person.client.send('POST', system.otlpUrl, { token, ...request })
    })
  },
}

async function read({ person: { client, token } }: Attacker, url: string): Promise<void> {
  await client.send('GET', url, { token })
}

/** Stores a trace whose response is as large as it can be; returns its URL. */
async function sendLargeTrace({ system, person, deployed }: Attacker): Promise<string> {
  const [{ account, ingestToken: token } = { account: '', ingestToken: '' }] = deployed
  const traceId = newTraceId()
  const root = newTraceId().slice(16)
  const timeNs = `${Date.now() - 60_000}000000`
  const attributes = Array.from({ length: ATTRIBUTES }, (_, index) => ({
    key: `key-${index}`,
    value: { stringValue: TEXT },
  }))
  for (let sent = 0; sent < SPANS; sent += SPANS_PER_REQUEST) {
    const spans = Array.from({ length: SPANS_PER_REQUEST }, (_, index) => ({
      traceId,
      spanId: sent + index === 0 ? root : newTraceId().slice(16),
      ...(sent + index > 0 && { parentSpanId: root }),
      name: 'work',
      startTimeUnixNano: timeNs,
      endTimeUnixNano: timeNs,
      attributes,
    }))
    await person.client.send('POST', system.otlpUrl, {
      token,
      body: { resourceSpans: [{ scopeSpans: [{ spans }] }] },
    })
  }
  await delay(STORED_MS)
  return `${system.gatewayUrl}/agents/${account}/${AGENT}/observability/traces/${traceId}`
}
