import { pino, type Logger } from 'pino'

import { LineOutput } from './line-output.ts'

export type { Logger } from 'pino'

/** Levels that a service can be told to log at. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** One for the process: loggers share its standard output. */
let output: LineOutput | undefined

/**
 * A JSON logger on standard output. Fields that can hold a credential are never written, whatever
 * is passed in.
 */
export function createLogger(service: string, level: (typeof LOG_LEVELS)[number]): Logger {
  output ??= new LineOutput(1)
  return pino(
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
    output,
  )
}

/**
 * A logger for what happens too often to be told unless it goes wrong; one that is told less
 * already stays so.
 */
export function warningsOnly(logger: Logger): Logger {
  return logger.isLevelEnabled('info') ? logger.child({}, { level: 'warn' }) : logger
}

/**
 * Facts of a line that is written for every request: texts in which JSON escapes nothing, and
 * numbers.
 */
export type PlainFacts = Readonly<Record<string, string | number | undefined>>

/** A text from outside as it may stand in such a line: whatever JSON escapes is. */
export function plainText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Writes a line; `more` are the facts that differ from line to line. */
export type LineWriter = (more: PlainFacts) => void

/**
 * Prepares `info` lines of an event whose facts are known to be harmless; `facts` are the same in
 * each of them. Put together by hand: what the logger takes to serialise and redact a line is a
 * good part of what a small request costs.
 */
export function plainLines(logger: Logger): (event: string, facts: PlainFacts) => LineWriter {
  if (!logger.isLevelEnabled('info')) return () => () => {}
  const stream = (logger as unknown as { [pino.symbols.streamSym]: LineOutput })[
    pino.symbols.streamSym
  ]
  const service = JSON.stringify(logger.bindings()['service'])
  return (event, facts) => {
    const same = `","service":${service},"event":"${event}"${members(facts)}`
    return (more) => stream.write(`{"level":"info","time":"${timeText()}${same}${members(more)}}\n`)
  }
}

function members(facts: PlainFacts): string {
  let text = ''
  for (const name in facts) {
    const value = facts[name]
    if (value !== undefined)
      text += typeof value === 'number' ? `,"${name}":${value}` : `,"${name}":"${value}"`
  }
  return text
}

let lastTime = 0
let lastTimeText = ''

/** The time as text, made anew once a millisecond. */
function timeText(): string {
  const now = Date.now()
  if (now !== lastTime) {
    lastTime = now
    lastTimeText = new Date(now).toISOString()
  }
  return lastTimeText
}
