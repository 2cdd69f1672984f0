import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/** Levels that a service can be told to log at. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Lines are written together, at the latest after this time: a write for each would cost more than making it. */
const WRITE_INTERVAL_MS = 100
const WRITE_BYTES = 8 * 1024

/** A JSON logger on standard output. Fields that can hold a credential are never written, whatever is passed in. */
export function createLogger(service: string, level: (typeof LOG_LEVELS)[number]): Logger {
  return pino(
    {
      level,
      base: { service },
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['token', 'secret', 'password', 'authorization', '*.token', '*.secret', '*.password', '*.authorization'],
        censor: '[redacted]',
      },
    },
    // What is left when the process exits is written then.
    pino.destination({ dest: 1, sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_INTERVAL_MS }),
  )
}
