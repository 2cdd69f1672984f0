import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { reachedOf, type Target } from './reach.ts'

// The agent that the chart's test deploys: it responds to its probe and sends one span, whose
// output says which of the TARGETS it reaches.

createServer((_request, response) => response.end('ok\n')).listen(8080)
process.once('SIGTERM', () => process.exit(0))

const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? ''
const headers = (process.env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').map((pair) => {
  const [name = '', value = ''] = pair.split('=')
  return [name, decodeURIComponent(value)] as const
})
const targets = JSON.parse(process.env['TARGETS'] ?? '[]') as Target[]
const output = JSON.stringify({ reached: await reachedOf(targets) })
while (!(await sendSpan())) await sleep(1_000)
console.log('the span is sent')

/** Sends a span; returns whether it was accepted. */
async function sendSpan(): Promise<boolean> {
  const end = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'chart test',
    kind: 1,
    startTimeUnixNano: String(end - 1_000_000n),
    endTimeUnixNano: String(end),
    attributes: [{ key: 'output.value', value: { stringValue: output } }],
  }
  try {
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    })
    if (!response.ok) console.error(`the span was rejected: ${await response.text()}`)
    return response.ok
  } catch (error) {
    console.error('the span was not sent:', error)
    return false
  }
}
