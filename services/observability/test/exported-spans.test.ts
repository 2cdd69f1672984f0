import { create, toBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { readRecordings } from '@slipway/testing/recordings'
import { expect, test } from 'vitest'

import { tracesIn } from './support/recorded-traces.ts'
import type { StoredSpan } from '../src/domain/span.ts'
import { spansInProtobuf } from '../src/ingest/decode/otlp-protobuf.ts'
import { toStoredSpan } from '../src/ingest/spans/read-spans.ts'
import { resolveSpans } from '../src/ingest/spans/resolve-spans.ts'
import { builtInPrices } from '../src/prices/model-prices.ts'
import { toResourceSpans } from '../src/rpc/otlp-spans.ts'

/** Encodes an export, and stores it as ingest does. */
function sendAgain(request: Parameters<typeof toResourceSpans>[0]): readonly StoredSpan[] {
  const message = create(ExportTraceServiceRequestSchema, {
    resourceSpans: toResourceSpans(request),
  })
  const decoded = [...spansInProtobuf(toBinary(ExportTraceServiceRequestSchema, message))]
  return resolveSpans(
    decoded.flatMap((each) =>
      'span' in each ? [toStoredSpan(each, builtInPrices, { newestNs: 2n ** 63n })] : [],
    ),
  )
}

test.each(readRecordings())('$name is stored as before when its export is sent again', (sent) => {
  for (const { traceId, spans } of tracesIn(sent)) {
    const stored = spans as readonly unknown[] as readonly StoredSpan[]
    const again = sendAgain({ agent: 'helper', traceId, spans })
    expect(bySpan(again)).toEqual(bySpan(resolveSpans(stored)))
  }
})

test('keeps whole numbers of 64 bits, other numbers, lists and maps', () => {
  const [first] = tracesIn(readRecordings('strands')[0]!)
  const span = first!.spans[0]!
  const attributes =
    '{"a":9223372036854775807,"b":-1,"c":0.5,"d":true,"e":["x",{"f":null}],"g":1e300}'
  const [again] = sendAgain({
    agent: 'helper',
    traceId: first!.traceId,
    spans: [{ ...span, attributes, events: '' }],
  })
  expect(again?.attributes).toBe(attributes.replace('1e300', '1e+300'))
})

/** The facts of spans by id. The root rank of a span depends on what is in its request. */
function bySpan(spans: readonly StoredSpan[]) {
  return Object.fromEntries(
    spans.map((span) => {
      const { rootRank: _, isFailedRun: __, ...facts } = span
      const known = ['hasParent', 'version', 'buildId', 'responseKey']
      const entries = Object.entries(facts).filter(([name]) => !known.includes(name))
      return [span.spanId, Object.fromEntries(entries)]
    }),
  )
}
