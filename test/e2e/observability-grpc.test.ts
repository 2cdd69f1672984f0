import { credentials, Metadata } from '@grpc/grpc-js'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { pathOf } from '../contract/cases/observability-cases.ts'
import {
  endObservedWorld,
  makeObservedWorld,
  type ObservedWorld,
} from '../contract/support/trace-fixture.ts'
import { ask } from '../contract/support/catalog-fixture.ts'
import { fromStack } from '../support/environment.ts'

let world: ObservedWorld

beforeAll(async () => {
  world = await makeObservedWorld()
})
afterAll(async () => {
  await endObservedWorld(world)
})

test('stores the spans that OpenTelemetry’s exporter sends over gRPC', async () => {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${world.token}`)
  const exporter = new OTLPTraceExporter({
    url: `http://${fromStack('SLIPWAY_OTLP_GRPC')}`,
    credentials: credentials.createInsecure(),
    metadata,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'somebody else',
      'slipway.account': 'somebody else',
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const span = provider.getTracer('test').startSpan('by gRPC')
  span.setAttributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm-2',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 34,
    'input.value': 'asked by gRPC',
    'output.value': 'answered by gRPC',
  })
  span.end()
  await provider.forceFlush()
  await provider.shutdown()

  const { traceId } = span.spanContext()
  const { status, body } = await ask(
    'GET',
    pathOf(world, { route: 'trace', caller: 'member', status: 200, traceId }),
    'member',
  )
  expect([status, body]).toMatchObject([
    200,
    {
      trace_id: traceId,
      name: 'by gRPC',
      input: 'asked by gRPC',
      output: 'answered by gRPC',
      input_tokens: 12,
      output_tokens: 34,
      spans: [{ model: 'm-2', build_id: 'b2' }],
    },
  ])
})
