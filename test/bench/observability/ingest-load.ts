import { post } from '@slipway/observability/testing/otlp'
import { urlOf } from '@slipway/observability/testing/otlp-logs'

import type { Measured } from '../support/process.ts'
import { LOGS_PER_TRACE, makeTraces, SPANS_PER_TRACE, type Content } from './sent-traces.ts'

const TRACES_PER_REQUEST = 100
const BODIES = 20
/** Every so many senders send what was said in log records. */
const LOG_SENDERS = 4
/** How often memory is measured over the whole time. */
const SAMPLES = 24

/** The result of a load on the ingest. */
export interface IngestResult {
  readonly spansPerSecond: number
  readonly logsPerSecond: number
  readonly bytesPerSpan: number
  /** The processor time of the process for a span or log record, in microseconds. */
  readonly processorUs: number
  /** The number of responses other than 200. */
  readonly refused: number
  /** The resident memory of the process in MiB, at even intervals. */
  readonly memoryMib: readonly number[]
}

/** Sends traces from one sender per token. Each sends its next request after a response. */
export async function measureIngest(
  { url, tokens, process }: { url: string; tokens: readonly string[]; process: Measured },
  seconds: number,
): Promise<IngestResult> {
  const bodies = {
    spans: Array.from({ length: BODIES }, () => makeBodies('spans')),
    logs: Array.from({ length: BODIES }, () => makeBodies('logs')),
  }
  const memoryMib: number[] = []
  let [spans, logs, refused, sequence] = [0, 0, 0, 0]
  const usedBefore = process.cpuMs()
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000

  async function send(token: string, signal: string, body: Uint8Array<ArrayBuffer>) {
    const response = await post(urlOf(signal, url), token, body)
    await response.arrayBuffer()
    if (response.status !== 200) refused += 1
    return response.status === 200
  }

  async function sendUntilOver(token: string, content: Content): Promise<void> {
    while (elapsed() < seconds) {
      sequence += 1
      const sent = bodies[content][sequence % BODIES]?.(sequence)
      if (sent === undefined) return
      if (await send(token, 'traces', sent.spans)) spans += SPANS_PER_TRACE * TRACES_PER_REQUEST
      if (sent.logs !== undefined && (await send(token, 'logs', sent.logs)))
        logs += LOGS_PER_TRACE * TRACES_PER_REQUEST
      if (elapsed() > (memoryMib.length * seconds) / SAMPLES) memoryMib.push(process.memoryMib())
    }
  }

  await Promise.all(
    tokens.map((token, index) =>
      sendUntilOver(token, (index + 1) % LOG_SENDERS === 0 ? 'logs' : 'spans'),
    ),
  )
  const bytes = bodies.spans[0]?.(0).spans.length ?? 0
  return {
    spansPerSecond: Math.round(spans / elapsed()),
    logsPerSecond: Math.round(logs / elapsed()),
    bytesPerSpan: Math.round(bytes / SPANS_PER_TRACE / TRACES_PER_REQUEST),
    processorUs: ((process.cpuMs() - usedBefore) * 1000) / (spans + logs),
    refused,
    memoryMib,
  }
}

/** Returns a function that makes requests with new trace ids, written into encoded bytes. */
function makeBodies(content: Content) {
  const { traceIds, spans, logs } = makeTraces(TRACES_PER_REQUEST, content)
  const ids = traceIds.map((id) => Buffer.from(id, 'hex'))
  const ofSpans = renumbered(spans, ids)
  const ofLogs = logs && renumbered(logs, ids)
  return (sequence: number) => ({ spans: ofSpans(sequence), logs: ofLogs?.(sequence) })
}

/** Returns a function that copies a request, with a number at the start of each of these ids. */
function renumbered(request: Uint8Array, ids: readonly Buffer[]) {
  const template = Buffer.from(request)
  const offsets = ids.flatMap((id) => offsetsOf(template, id))
  return (sequence: number) => {
    const body = Buffer.from(template)
    for (const offset of offsets) body.writeUInt32BE(sequence, offset)
    return new Uint8Array(body)
  }
}

function offsetsOf(bytes: Buffer, id: Buffer): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(id); at !== -1; at = bytes.indexOf(id, at + 1)) offsets.push(at)
  return offsets
}
