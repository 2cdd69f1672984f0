import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  ExportLogsServiceRequestSchema,
  ExportLogsServiceResponseSchema,
  type ExportLogsServiceRequest,
  type ExportLogsServiceResponse,
} from '@slipway/proto/opentelemetry/proto/collector/logs/v1/logs_service'

import { post } from './otlp.ts'

/** A log record in a short form. Ids are hexadecimal, times in milliseconds since 1970. */
export interface TestLog {
  readonly traceId: string
  readonly spanId: string
  /** The name of its event. */
  readonly event: string
  /** The body, which is sent as JSON; none if undefined. */
  readonly body?: object
  readonly timeMs?: number
  readonly eventAttributes?: Readonly<Record<string, string>>
}

/** Returns the record of a question. */
export function question(text: string, span: Pick<TestLog, 'traceId' | 'spanId'>): TestLog {
  return { ...span, event: 'gen_ai.user.message', body: { content: text } }
}

/** Returns the record of an answer. */
export function answer(text: string, span: Pick<TestLog, 'traceId' | 'spanId'>): TestLog {
  return { ...span, event: 'gen_ai.choice', body: { index: 0, message: { content: text } } }
}

/** Converts log records to OTLP's request. */
export function logsRequest(logs: readonly TestLog[]): ExportLogsServiceRequest {
  const logRecords = logs.map((log) => ({
    traceId: Buffer.from(log.traceId, 'hex'),
    spanId: Buffer.from(log.spanId, 'hex'),
    observedTimeUnixNano: BigInt(Math.round((log.timeMs ?? Date.now()) * 1000)) * 1000n,
    eventName: log.event,
    ...(log.body && { body: textValue(JSON.stringify(log.body)) }),
    attributes: Object.entries(log.eventAttributes ?? {}).map(([key, text]) => ({
      key,
      value: textValue(text),
    })),
  }))
  return create(ExportLogsServiceRequestSchema, { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
}

function textValue(value: string) {
  return { value: { case: 'stringValue' as const, value } }
}

/** Encodes a request in protobuf. */
export function encodeLogs(logs: readonly TestLog[]): Uint8Array<ArrayBuffer> {
  return toBinary(ExportLogsServiceRequestSchema, logsRequest(logs))
}

/** Returns the URL of another signal of the ingest: `logs` or `metrics`. */
export function urlOf(signal: string, ingestUrl: string): string {
  return new URL(`/v1/${signal}`, ingestUrl).href
}

/** Sends log records in protobuf. Throws unless the response is 200. */
export async function sendLogs(
  ingestUrl: string,
  token: string,
  logs: readonly TestLog[],
): Promise<ExportLogsServiceResponse> {
  const response = await post(urlOf('logs', ingestUrl), token, encodeLogs(logs))
  const body = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`the ingest returned ${response.status}`)
  return fromBinary(ExportLogsServiceResponseSchema, body)
}
