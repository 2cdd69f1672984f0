import { fromBinary } from '@bufbuild/protobuf'
import { decodeSpanFields } from '@slipway/observability/ingest/decode-span-fields'
import { recordsInProtobuf } from '@slipway/observability/ingest/otlp-protobuf'
import { SpanSchema } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { makeTraces } from '../../observability/sent-traces.ts'
import type { Side, StartSide } from '../side.ts'

const TRACES = 100

/** Decoders of the spans of an agent, with their messages. An operation decodes 500 spans. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: () => repeatDecoder(decodeSpanFields),
  'protobuf-es': () =>
    repeatDecoder((encoded) => fromBinary(SpanSchema, encoded, { readUnknownFields: false })),
}

function repeatDecoder(decode: (encoded: Uint8Array) => object): Side {
  const spans = recordsInProtobuf(makeTraces(TRACES, 'spans').spans)
  return {
    run(count) {
      for (let done = 0; done < count; done += 1) for (const { encoded } of spans) decode(encoded)
    },
  }
}
