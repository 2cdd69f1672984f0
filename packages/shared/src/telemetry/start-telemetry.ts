import { metrics, trace } from '@opentelemetry/api'

import type { Environment } from '../config/config.ts'
import { VERSION } from '../version.ts'
import { setMetricsRenderer } from './render-metrics.ts'
import { setTracing } from './spans.ts'

/**
 * Starts telemetry as configured by OpenTelemetry's standard variables: metrics for `/metrics`
 * unless OTEL_METRICS_EXPORTER is `none`, and spans to OTEL_EXPORTER_OTLP_ENDPOINT if that is set.
 * Must be called before anything is recorded. Modules that are not needed are not loaded. Disposing
 * of it sends pending spans.
 */
export async function startTelemetry(service: string, env: Environment): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  if (env['OTEL_SDK_DISABLED'] === 'true') return stack
  if (env['OTEL_METRICS_EXPORTER'] !== 'none') stack.use(await startMetrics(service))
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (endpoint && env['OTEL_TRACES_EXPORTER'] !== 'none') stack.use(await startTraces(service))
  return stack
}

async function startMetrics(service: string): Promise<AsyncDisposable> {
  const [
    { MeterProvider },
    { PrometheusExporter, PrometheusSerializer },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-prometheus'),
    import('@opentelemetry/resources'),
  ])
  const reader = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({
    resource: resourceFromAttributes(attributesOf(service)),
    readers: [reader],
  })
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  metrics.setGlobalMeterProvider(provider)
  setMetricsRenderer(async () => serializer.serialize((await reader.collect()).resourceMetrics))
  return {
    async [Symbol.asyncDispose]() {
      setMetricsRenderer(undefined)
      metrics.disable()
      await provider.shutdown()
    },
  }
}

async function startTraces(service: string): Promise<AsyncDisposable> {
  const [
    { BatchSpanProcessor, ParentBasedSampler, AlwaysOnSampler, TracerProvider },
    { OTLPTraceExporter },
    resources,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes(attributesOf(service)),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    // The exporter itself reads the URL and headers from the standard variables.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  trace.setGlobalTracerProvider(provider)
  setTracing(true)
  return {
    async [Symbol.asyncDispose]() {
      setTracing(false)
      trace.disable()
      await provider.shutdown().catch(() => {})
    },
  }
}

function attributesOf(service: string): Record<string, string> {
  return { 'service.name': service, 'service.version': VERSION }
}
