import { ConfigError } from './config.ts'
import type { Logger } from './logger.ts'
import { startTelemetry } from './telemetry/start-telemetry.ts'

/** How long a process may take to stop before it is ended by force. */
const STOP_GRACE_MS = 30_000

/**
 * Starts telemetry as OTEL_* says and runs a service until SIGTERM or SIGINT, then disposes of it and lets the process
 * end by itself. Exit code 2 for a configuration that can't be used, 1 for anything else that goes wrong.
 */
export async function runUntilSignalled(logger: () => Logger, start: () => Promise<AsyncDisposable>): Promise<void> {
  const stopRequested = new Promise<string>((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
  })
  try {
    await using _telemetry = await startTelemetry(String(logger().bindings()['service']), process.env)
    const service = await start()
    const signal = await stopRequested
    logger().info({ signal }, 'service_stopping')
    setTimeout(() => {
      logger().error('service_stop_timed_out')
      process.exit(1)
    }, STOP_GRACE_MS).unref()
    await service[Symbol.asyncDispose]()
    logger().info('service_stopped')
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`)
      process.exit(2)
    }
    logger().fatal({ err: error }, 'service_failed')
    process.exit(1)
  }
}
