import { ConfigError } from '../config/config.ts'
import { reportExtraAuthorities } from './extra-authorities.ts'
import { returnFreedMemory } from './freed-memory.ts'
import { createLogger, type LOG_LEVELS, type Logger } from '../logging/logger.ts'
import { startTelemetry } from '../telemetry/start-telemetry.ts'

/** How long a process may take to stop before it is killed. */
const STOP_GRACE_MS = 30_000

export interface RunOptions<Config> {
  /** Its name in logs and telemetry. */
  readonly name: string
  readonly readConfig: () => Config
  readonly start: (config: Config, logger: Logger) => Promise<AsyncDisposable>
}

/**
 * Starts telemetry as configured by OTEL_* and runs a service until SIGTERM or SIGINT, then
 * disposes of it and lets the process end. Exits with code 2 for an invalid configuration, with 1
 * for any other error.
 */
export async function runUntilSignalled<
  Config extends { readonly logLevel: (typeof LOG_LEVELS)[number] },
>({ name, readConfig, start }: RunOptions<Config>): Promise<void> {
  // Libraries look up variables for each call, even for each token of YAML. A lookup in Node's own
  // object calls the C library.
  process.env = { ...process.env }
  const stopRequested = new Promise<string>((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
  })
  let logger = createLogger(name, 'info')
  try {
    const config = readConfig()
    logger = createLogger(name, config.logLevel)
    await using _telemetry = await startTelemetry(name, process.env)
    using _authorities = reportExtraAuthorities(process.env, logger)
    const service = await start(config, logger)
    using _returning = returnFreedMemory()
    const signal = await stopRequested
    logger.info({ signal }, 'service_stopping')
    setTimeout(() => {
      logger.error('service_stop_timed_out')
      process.exit(1)
    }, STOP_GRACE_MS).unref()
    await service[Symbol.asyncDispose]()
    logger.info('service_stopped')
  } catch (error) {
    exitForConfig(error)
    logger.fatal({ err: error }, 'service_failed')
    process.exit(1)
  }
}

/**
 * Runs a command of a service. Exits with code 2 for an invalid configuration, 1 for other errors,
 * 143 when it is terminated.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  // The first process of a container ignores signals that it doesn't handle.
  process.once('SIGTERM', () => process.exit(143))
  try {
    await command()
  } catch (error) {
    exitForConfig(error)
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

function exitForConfig(error: unknown): void {
  if (!(error instanceof ConfigError)) return
  process.stderr.write(`${error.message}\n`)
  process.exit(2)
}
