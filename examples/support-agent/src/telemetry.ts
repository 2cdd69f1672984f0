import { diag, DiagLogLevel } from '@opentelemetry/api'
import { log } from './log.ts'

/** Sends what is buffered and stops. */
export type StopTelemetry = () => Promise<void>

/**
 * Starts the OpenTelemetry SDK, configured by the `OTEL_*` variables that the platform sets and by
 * nothing else. Without an endpoint it stays off: the SDK's own default would be a collector on
 * localhost.
 */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<StopTelemetry> {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (!endpoint) {
    log('info', 'telemetry_off', { reason: 'no OTEL_EXPORTER_OTLP_ENDPOINT' })
    return async () => {}
  }
  // A handful of spans per question: send them within a second instead of five, so that a trace can
  // be looked at right away.
  env['OTEL_BSP_SCHEDULE_DELAY'] ??= '1000'
  // A pod has no machine id to report, and the rest of the host and process is the platform's
  // business.
  env['OTEL_NODE_RESOURCE_DETECTORS'] ??= 'service'
  const { startNodeSdk } = await import('@opentelemetry/sdk-node')
  // Traces only: unset exporters would default to OTLP, too.
  const sdk = startNodeSdk({ metricReaders: [], logRecordProcessors: [], logLevel: 'warn' })
  const report =
    (level: 'warn' | 'error') =>
    (text: string): void =>
      log(level, 'telemetry_problem', { message: text })
  const silent = (): void => {}
  const logger = {
    verbose: silent,
    debug: silent,
    info: silent,
    warn: report('warn'),
    error: report('error'),
  }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  log('info', 'telemetry_on', { endpoint })
  return () => sdk.shutdown()
}
