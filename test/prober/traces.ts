import { setTimeout as delay } from 'node:timers/promises'

import {
  encodeRequest,
  newSpanId,
  newTraceId,
  toOtlpSpan,
} from '@slipway/observability/testing/otlp'

import { inTurn } from './in-turn.ts'
import { isAcknowledged, type Outcome } from './outcome.ts'
import type { Kind, Parts } from './parts.ts'

/** How long a sender retries. */
const RETRY_FOR_MS = 60_000
const RETRY_PAUSE_MS = 1_000
/** What OTLP allows a sender to retry. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

type SendBytes = (token: string, bytes: Uint8Array) => Promise<Outcome>

/** Sends traces with unique ids, over HTTP and gRPC. */
export function traces(parts: Parts): Kind[] {
  const { stage, sender, otlpUrl, otlpGrpc } = parts
  if (stage.deployed.length === 0) return []
  const kinds: Kind[] = []
  if (otlpUrl !== undefined) {
    const url = `${otlpUrl.replace(/\/$/, '')}/v1/traces`
    const send: SendBytes = (token, body) => sender.send({ method: 'POST', url, token, body })
    kinds.push(traceKind(parts, { name: 'otlp http', share: 12 }, send))
  }
  if (otlpGrpc !== undefined) {
    const send: SendBytes = (token, bytes) => otlpGrpc.send(token, bytes)
    kinds.push(traceKind(parts, { name: 'otlp grpc', share: 7 }, send))
  }
  return kinds
}

function traceKind(
  { stage, tally, ledger, retries }: Parts,
  { name, share }: Pick<Kind, 'name' | 'share'>,
  sendBytes: SendBytes,
): Kind {
  const next = inTurn(stage.deployed)
  return {
    name,
    share,
    async send() {
      const agent = next()
      const traceId = newTraceId()
      const span = toOtlpSpan({ traceId, spanId: newSpanId(), startMs: Date.now() - 100 })
      const bytes = encodeRequest([span])
      const sentAt = performance.now()
      const attempt = () => sendBytes(agent.ingestToken, bytes)
      let outcome = await attempt()
      tally.count(name, sentAt, outcome, retries && isRetryable(outcome))
      while (retries && mayRetry(outcome) && performance.now() - sentAt < RETRY_FOR_MS) {
        const pauseMs = 'status' in outcome ? outcome.retryAfterMs : undefined
        await delay(pauseMs ?? RETRY_PAUSE_MS)
        outcome = await attempt()
      }
      if (isAcknowledged(outcome)) ledger.traced(agent, traceId)
      else if (retries) tally.countLost(name)
    },
  }
}

function isRetryable(outcome: Outcome): boolean {
  return 'status' in outcome && RETRYABLE.has(outcome.status)
}

/** Senders also retry after errors of connections, which are counted all the same. */
function mayRetry(outcome: Outcome): boolean {
  return 'failure' in outcome || isRetryable(outcome)
}
