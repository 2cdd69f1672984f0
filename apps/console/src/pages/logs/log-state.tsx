import { lineCount } from './log-text.ts'
import type { Log } from './use-log.ts'

interface LogStateProps {
  readonly log: Pick<Log, 'lines' | 'dropped' | 'state'>
  /** Lines that match the filter. */
  readonly shown: number
}

/** How many lines there are, and whether more are followed. Only the latter is announced. */
export function LogState({ log: { lines, dropped, state }, shown }: LogStateProps) {
  const isReading = state === 'reading'
  const filtered = shown === lines.length ? '' : `${shown} of `
  const older =
    dropped === 0 ? '' : `, ${dropped} older ${dropped === 1 ? 'one' : 'ones'} not shown`
  return (
    <span className="faint">
      {!isReading && `${filtered}${lineCount(lines.length)}${older}, `}
      <span role="status">{isReading ? 'reading …' : state}</span>
    </span>
  )
}
