import { logTargetOf, type Logger } from './logger.ts'

/** Fields of a line: numbers, and strings that need no escaping in JSON. */
export type PlainFacts = Readonly<Record<string, string | number | undefined>>

/** Escapes a string of unknown content for use in a line. */
export function plainText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Writes a line; `more` are the fields that differ from line to line. */
export type LineWriter = (more: PlainFacts) => void

/**
 * Prepares `info` lines for an event that is logged for every request; `facts` are the fields that
 * are the same in every line. Concatenates text instead of using the logger: serialization and
 * redaction would be a large part of the cost of a small request.
 */
export function plainLines(logger: Logger): (event: string, facts: PlainFacts) => LineWriter {
  if (!logger.isLevelEnabled('info')) return () => () => {}
  const { service, sink } = logTargetOf(logger)
  return (event, facts) => {
    const same = `","service":${JSON.stringify(service)},"event":"${event}"${members(facts)}`
    return (more) => sink.write(`{"level":"info","time":"${timeText()}${same}${members(more)}}\n`)
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

/** The current time, formatted at most once per millisecond. */
function timeText(): string {
  const now = Date.now()
  if (now !== lastTime) {
    lastTime = now
    lastTimeText = new Date(now).toISOString()
  }
  return lastTimeText
}
