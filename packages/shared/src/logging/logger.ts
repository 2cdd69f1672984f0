import { pino, type Logger } from 'pino'

import { LineOutput } from './line-output.ts'

export type { Logger } from 'pino'

/** Levels that a service can be configured to log at. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Receives log lines, each including its line feed. */
export interface LineSink {
  write(line: string): void
}

/** The destination of a logger's lines, and the service name in them. */
export interface LogTarget {
  readonly service: string
  readonly sink: LineSink
}

/** Loggers of a process share its standard output. */
let standardOutput: LineOutput | undefined

const targetOf = new WeakMap<Logger, LogTarget>()

/**
 * Creates a logger that writes JSON lines to standard output, or to `sink`. Fields that can contain
 * credentials are redacted.
 */
export function createLogger(
  service: string,
  level: (typeof LOG_LEVELS)[number],
  sink: LineSink = (standardOutput ??= new LineOutput(1)),
): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'token',
          'secret',
          'password',
          'authorization',
          '*.token',
          '*.secret',
          '*.password',
          '*.authorization',
        ],
        censor: '[redacted]',
      },
    },
    sink,
  )
  targetOf.set(logger, { service, sink })
  return logger
}

/** Returns the destination of a logger. Throws for a logger that `createLogger` did not create. */
export function logTargetOf(logger: Logger): LogTarget {
  const target = targetOf.get(logger)
  if (target === undefined) throw new Error('the logger was not created by createLogger')
  return target
}

/** A logger that writes warnings and errors only; for frequent events such as health checks. */
export function warningsOnly(logger: Logger): Logger {
  return logger.isLevelEnabled('info') ? logger.child({}, { level: 'warn' }) : logger
}
