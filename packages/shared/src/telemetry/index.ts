export { createCounter, measureEvent, measureHttpRequest, measureRpc, observe } from './measures.ts'
export { isMeasuring, METRICS_TYPE, renderMetrics } from './render-metrics.ts'
export { isTracing, openSpan, type OpenSpan, type SpanStart } from './spans.ts'
export { startTelemetry } from './start-telemetry.ts'
export {
  continueTrace,
  traceHeaders,
  traceIdOf,
  type TraceContext,
  type TraceHeaders,
} from './trace-context.ts'
