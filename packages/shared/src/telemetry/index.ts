export { measureEvent, measureHttpRequest, measureRpc } from './measures.ts'
export { METRICS_TYPE, renderMetrics } from './render-metrics.ts'
export { openSpan, type OpenSpan, type SpanStart } from './spans.ts'
export { startTelemetry } from './start-telemetry.ts'
