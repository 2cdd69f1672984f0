import { diag, DiagLogLevel } from '@opentelemetry/api'
import { log } from './log.ts'

/** Sends buffered spans and stops the SDK. */
export type StopTelemetry = () => Promise<void>

/**
 * Starts the OpenTelemetry SDK, configured only by the `OTEL_*` variables that the platform sets.
 * Without an endpoint it stays off, because the SDK's default is a collector on localhost.
 */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<StopTelemetry> {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (!endpoint) {
    log('info', 'telemetry_off', { reason: 'no OTEL_EXPORTER_OTLP_ENDPOINT' })
    return async () => {}
  }
  // Send spans after one second instead of five, so that traces appear quickly.
  env['OTEL_BSP_SCHEDULE_DELAY'] ??= '1000'
  // A pod has no machine id, and the platform adds the other attributes of host and process.
  env['OTEL_NODE_RESOURCE_DETECTORS'] ??= 'service'
  const { startNodeSdk } = await import('@opentelemetry/sdk-node')
  // Traces only: without these options metrics and logs would also be exported over OTLP.
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
