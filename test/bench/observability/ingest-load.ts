import {
  encodeRequest,
  newSpanId,
  newTraceId,
  post,
  toOtlpSpan,
} from '@slipway/observability/testing/otlp'

import type { Measured } from '../support/process.ts'

const SPANS_PER_TRACE = 5
const TRACES_PER_REQUEST = 100
const BODIES = 20
/** How often memory is measured over the whole time. */
const SAMPLES = 24

/** The result of a load on the ingest. */
export interface IngestResult {
  readonly spansPerSecond: number
  readonly bytesPerSpan: number
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
  const bodies = Array.from({ length: BODIES }, makeBody)
  const memoryMib: number[] = []
  let [sent, refused, sequence] = [0, 0, 0]
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000

  async function sendUntilOver(token: string): Promise<void> {
    while (elapsed() < seconds) {
      sequence += 1
      const body = bodies[sequence % BODIES]?.(sequence)
      if (body === undefined) return
      const response = await post(url, token, body)
      await response.arrayBuffer()
      if (response.status === 200) sent += SPANS_PER_TRACE * TRACES_PER_REQUEST
      else refused += 1
      if (elapsed() > (memoryMib.length * seconds) / SAMPLES) memoryMib.push(process.memoryMib())
    }
  }

  await Promise.all(tokens.map(sendUntilOver))
  return {
    spansPerSecond: Math.round(sent / elapsed()),
    bytesPerSpan: Math.round((bodies[0]?.(0).length ?? 0) / SPANS_PER_TRACE / TRACES_PER_REQUEST),
    refused,
    memoryMib,
  }
}

/** Returns a function that makes a request with new trace ids, written into encoded bytes. */
function makeBody(): (sequence: number) => Uint8Array<ArrayBuffer> {
  const traceIds = Array.from({ length: TRACES_PER_REQUEST }, newTraceId)
  const template = Buffer.from(encodeRequest(traceIds.flatMap(makeTrace)))
  const offsets = traceIds.flatMap((traceId) => offsetsOf(template, Buffer.from(traceId, 'hex')))
  return (sequence) => {
    const body = Buffer.from(template)
    for (const offset of offsets) body.writeUInt32BE(sequence, offset)
    return new Uint8Array(body)
  }
}

function makeTrace(traceId: string) {
  const startMs = Date.now() - Math.random() * 3_600_000
  const root = newSpanId()
  return Array.from({ length: SPANS_PER_TRACE }, (_, index) =>
    toOtlpSpan({
      traceId,
      spanId: index === 0 ? root : newSpanId(),
      parentSpanId: index === 0 ? '' : root,
      name: index === 0 ? 'invoke_agent' : 'chat',
      startMs: startMs + index,
      durationMs: 1000 * Math.random(),
      attributes:
        index < 3
          ? {
              'http.request.method': 'POST',
              'http.response.status_code': 200,
              'input.value': 'Where is my parcel?',
            }
          : {
              'gen_ai.operation.name': 'chat',
              'gen_ai.request.model': 'model-1',
              'gen_ai.usage.input_tokens': 321,
              'gen_ai.usage.output_tokens': 45,
              'gen_ai.input.messages':
                '[{"role":"user","parts":[{"type":"text","content":"Where is my parcel?"}]}]',
            },
    }),
  )
}

function offsetsOf(bytes: Buffer, id: Buffer): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(id); at !== -1; at = bytes.indexOf(id, at + 1)) offsets.push(at)
  return offsets
}
