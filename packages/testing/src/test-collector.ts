import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { fromBinary } from '@bufbuild/protobuf'
import { ExportTraceServiceRequestSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'

/** A span that a collector received; its ids are hexadecimal. */
export interface CollectedSpan {
  readonly name: string
  /** OTLP's number: 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  /** The `tracestate` of its trace context. */
  readonly traceState: string
  readonly isError: boolean
}

/** A collector for the traces of the tested processes. */
export interface TestCollector extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
}

/** Starts a collector for traces (OTLP over HTTP, protobuf) on a free port. */
export async function testCollector(): Promise<TestCollector> {
  const spans: CollectedSpan[] = []
  async function take(request: IncomingMessage): Promise<void> {
    const sent = await buffer(request)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    for (const { scopeSpans } of fromBinary(ExportTraceServiceRequestSchema, body).resourceSpans) {
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { name, kind, traceState, status } = span
        const traceId = hex(span.traceId)
        const ids = { traceId, spanId: hex(span.spanId), parentSpanId: hex(span.parentSpanId) }
        spans.push({ name, kind, ...ids, traceState, isError: status?.code === 2 })
      }
    }
  }
  const server = createServer(
    (request, response) => void take(request).finally(() => response.end()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
