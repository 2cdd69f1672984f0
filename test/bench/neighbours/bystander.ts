import { setTimeout as delay } from 'node:timers/promises'

import { newTraceId } from '../../support/ingest.ts'
import { rounded } from '../support/compare.ts'
import { quantile } from '../support/load.ts'
import { AGENT, type Deployed, type Person } from './people.ts'
import type { NeighboursSystem } from './system.ts'

/** Pause between two requests of the bystander. */
const PAUSE_MS = 20

/** What the bystander saw. */
export interface Seen {
  readonly requests: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** The slowest response of each kind of request. */
  readonly slowest_ms: Readonly<Record<string, number>>
  readonly wrong: Readonly<Record<string, number>>
}

/** Sends ordinary requests of one user, one after another, and measures the responses. */
export async function watch(
  { gatewayUrl, otlpUrl }: NeighboursSystem,
  { client, token, account }: Person,
  { ingestToken }: Deployed,
  durationMs: number,
): Promise<Seen> {
  const body = { account, name: AGENT, user_credentials: { SUPPORT_API_TOKEN: 'x' } }
  const nowNs = () => `${Date.now() - 1000}000000`
  const spans = () => [
    {
      traceId: newTraceId(),
      spanId: newTraceId().slice(16),
      name: 'work',
      startTimeUnixNano: nowNs(),
      endTimeUnixNano: nowNs(),
    },
  ]
  const kinds = {
    me: () => client.send('GET', `${gatewayUrl}/me`, { token }),
    agent: () => client.send('GET', `${gatewayUrl}/agents/${account}/${AGENT}`, { token }),
    list: () => client.send('GET', `${gatewayUrl}/agents?limit=10`),
    validate: () => client.send('POST', `${gatewayUrl}/deploy/validate`, { token, body }),
    deployment: () =>
      client.send('GET', `${gatewayUrl}/agents/${account}/${AGENT}/deployment`, { token }),
    summary: () =>
      client.send('GET', `${gatewayUrl}/agents/${account}/${AGENT}/observability/summary`, {
        token,
      }),
    ingest: () =>
      client.send('POST', otlpUrl, {
        token: ingestToken,
        body: { resourceSpans: [{ scopeSpans: [{ spans: spans() }] }] },
      }),
  }
  const latencies: number[] = []
  const slowest: Record<string, number> = {}
  const wrong: Record<string, number> = {}
  for (const end = performance.now() + durationMs; performance.now() < end;) {
    for (const [kind, send] of Object.entries(kinds)) {
      const start = performance.now()
      const status = await send().then(
        (answer) => answer.status,
        () => 'closed',
      )
      const latency = performance.now() - start
      latencies.push(latency)
      slowest[kind] = Math.max(slowest[kind] ?? 0, Math.round(latency))
      if (status !== 200) wrong[`${kind} ${status}`] = (wrong[`${kind} ${status}`] ?? 0) + 1
      await delay(PAUSE_MS)
    }
  }
  const sorted = { latencies: Float64Array.from(latencies).sort() }
  const at = (fraction: number) => rounded(quantile(sorted, fraction), 1)
  const [p50, p99] = [at(0.5), at(0.99)]
  return { requests: latencies.length, p50_ms: p50, p99_ms: p99, slowest_ms: slowest, wrong }
}
