import { createHash } from 'node:crypto'

import { lines, type Block, type Text } from '../../output/blocks.ts'
import { clock } from '../../output/times.ts'
import { hues, type Hue } from '../../output/style.ts'
import type { LogEntry } from './result.ts'

/** A line of a log with where it is from, and when it was written if `withTime`. */
export function viewEntry(entry: LogEntry, withTime: boolean, isTerminal: boolean): Block {
  const origin = originOf(entry)
  const text = entry.kind === 'line' ? entry.text : `${entry.reason}: ${entry.text}`
  const gap = isTerminal ? ' ' : '\t'
  const at: Text = { text: clock(entry.time), style: 'faint', plain: entry.time }
  const time: Text[] = withTime ? [at, { text: gap }] : []
  const style = entry.kind === 'event' ? 'faint' : undefined
  const isGone = entry.kind === 'line' && entry.is_gone === true
  const prefix: Text = isGone
    ? { text: `${origin} (gone)`, style: 'faint', plain: origin }
    : { text: origin, style: hueOf(origin) }
  return lines([...time, prefix, { text: gap }, { text, style }])
}

function originOf(entry: LogEntry): string {
  return entry.kind === 'event' ? entry.object : `${entry.pod}[${entry.container}]`
}

/** The color of an origin, which is the same in each run of the program. */
export function hueOf(origin: string): Hue {
  const [byte = 0] = createHash('sha256').update(origin).digest()
  return hues[byte % hues.length] ?? 'hue1'
}
