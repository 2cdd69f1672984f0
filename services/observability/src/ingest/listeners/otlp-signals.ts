import { create, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { ExportLogsServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/logs/v1/logs_service'
import { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'

import type { IngestResult } from '../pipeline/ingest.ts'
import type { DecodedLog, DecodedSpan } from '../decode/decoded-record.ts'
import { logsInJson, logsInProtobuf } from '../logs/sent-logs.ts'
import { spansInJson } from '../decode/otlp-json.ts'
import { spansInProtobuf } from '../decode/otlp-protobuf.ts'
import type { SentRecord } from '../pipeline/signal.ts'

/** How the listeners read requests with the records of a signal, and respond to them. */
export interface OtlpSignal<Decoded, Response extends DescMessage = DescMessage> {
  /** In the path of OTLP over HTTP, and in messages. */
  readonly name: 'traces' | 'logs'
  readonly inJson: (body: Buffer, reserve: (bytes: number) => void) => Iterable<SentRecord<Decoded>>
  readonly inProtobuf: (body: Uint8Array) => Iterable<SentRecord<Decoded>>
  readonly response: Response
  /** Responds with what is rejected, and with warnings. */
  readonly respond: (result: IngestResult) => MessageShape<Response>
}

/** Spans, at `/v1/traces`. */
export const traces: OtlpSignal<DecodedSpan, typeof ExportTraceServiceResponseSchema> = {
  name: 'traces',
  inJson: spansInJson,
  inProtobuf: spansInProtobuf,
  response: ExportTraceServiceResponseSchema,
  respond: ({ rejected, message }) =>
    create(
      ExportTraceServiceResponseSchema,
      message === ''
        ? {}
        : { partialSuccess: { rejectedSpans: BigInt(rejected), errorMessage: message } },
    ),
}

/** Log records, at `/v1/logs`. */
export const logs: OtlpSignal<DecodedLog, typeof ExportLogsServiceResponseSchema> = {
  name: 'logs',
  inJson: logsInJson,
  inProtobuf: logsInProtobuf,
  response: ExportLogsServiceResponseSchema,
  respond: ({ rejected, message }) =>
    create(
      ExportLogsServiceResponseSchema,
      message === ''
        ? {}
        : { partialSuccess: { rejectedLogRecords: BigInt(rejected), errorMessage: message } },
    ),
}
