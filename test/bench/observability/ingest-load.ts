import { setTimeout as delay } from 'node:timers/promises'

import { urlOf } from '@slipway/observability/testing/otlp-logs'

import { cpuMsOf, type Measured } from '../support/process.ts'
import { Sender } from './sender.ts'
import { LOGS_PER_TRACE, makeTraces, SPANS_PER_TRACE, type Content } from './sent-traces.ts'

const TRACES_PER_REQUEST = 100
const BODIES = 20
/** One of this number of senders sends its content in log records. */
const LOG_SENDERS = 4
/** How often memory is measured over the whole time. */
const SAMPLES = 24
/** How long is sent before the measurement, while code is compiled. */
const WARM_UP_SECONDS = 5

/** Processor times in microseconds. */
export interface ProcessorTimes {
  /** The thread of the service that decodes spans. */
  readonly main: number
  /** The threads that compile and collect garbage. */
  readonly v8: number
  /** The threads of ClickHouse. */
  readonly engine: number
  readonly sender: number
}

/** The result of a load on the ingest. */
export interface IngestResult {
  readonly spansPerSecond: number
  readonly logsPerSecond: number
  readonly bytesPerSpan: number
  /** The processor time of a span or log record, of the service and the sender. */
  readonly processorUs: ProcessorTimes
  /** The number of responses other than 200. */
  readonly refused: number
  /** The resident memory of the process in MiB, at even intervals. */
  readonly memoryMib: readonly number[]
}

/** Sends traces from a connection per token. Each sends its next request after a response. */
export async function measureIngest(
  { url, tokens, service }: { url: string; tokens: readonly string[]; service: Measured },
  seconds: number,
): Promise<IngestResult> {
  const bodies = {
    spans: Array.from({ length: BODIES }, () => makeBodies('spans')),
    logs: Array.from({ length: BODIES }, () => makeBodies('logs')),
  }
  const memoryMib: number[] = []
  let [spans, logs, refused, sequence] = [0, 0, 0, 0]
  using sender = new Sender(tokens.length)
  let usedBefore = usedBy(service)
  let startedAt = performance.now() + WARM_UP_SECONDS * 1000
  const elapsed = () => (performance.now() - startedAt) / 1000
  const warmedUp = delay(WARM_UP_SECONDS * 1000).then(() => {
    ;[spans, logs] = [0, 0]
    usedBefore = usedBy(service)
    startedAt = performance.now()
  })

  async function send(token: string, signal: string, body: Uint8Array) {
    const status = await sender.send(urlOf(signal, url), token, body)
    if (status !== 200) refused += 1
    return status === 200
  }

  async function sendUntilOver(token: string, content: Content): Promise<void> {
    while (elapsed() < seconds) {
      sequence += 1
      const sent = bodies[content][sequence % BODIES]?.(sequence)
      if (sent === undefined) return
      if (await send(token, 'traces', sent.spans)) spans += SPANS_PER_TRACE * TRACES_PER_REQUEST
      if (sent.logs !== undefined && (await send(token, 'logs', sent.logs)))
        logs += LOGS_PER_TRACE * TRACES_PER_REQUEST
      if (elapsed() > (memoryMib.length * seconds) / SAMPLES) memoryMib.push(service.memoryMib())
    }
  }

  await Promise.all([
    warmedUp,
    ...tokens.map((token, index) =>
      sendUntilOver(token, (index + 1) % LOG_SENDERS === 0 ? 'logs' : 'spans'),
    ),
  ])
  const used = usedBy(service)
  const usOf = (part: keyof ProcessorTimes) =>
    ((used[part] - usedBefore[part]) * 1000) / (spans + logs)
  const bytes = bodies.spans[0]?.(0).spans.length ?? 0
  return {
    spansPerSecond: Math.round(spans / elapsed()),
    logsPerSecond: Math.round(logs / elapsed()),
    bytesPerSpan: Math.round(bytes / SPANS_PER_TRACE / TRACES_PER_REQUEST),
    processorUs: {
      main: usOf('main'),
      v8: usOf('v8'),
      engine: usOf('engine'),
      sender: usOf('sender'),
    },
    refused,
    memoryMib,
  }
}

/** Returns the processor times until now, in milliseconds. */
function usedBy(measured: Measured): ProcessorTimes {
  const main = measured.threadCpuMs('MainThread')
  const v8 = measured.threadCpuMs('V8Worker')
  const sender = cpuMsOf(process.pid)
  return { main, v8, engine: measured.cpuMs() - main - v8, sender }
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
    return body
  }
}

function offsetsOf(bytes: Buffer, id: Buffer): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(id); at !== -1; at = bytes.indexOf(id, at + 1)) offsets.push(at)
  return offsets
}
