import { memo } from 'react'

import { visible } from '../../text/visible.ts'
import { beginningOf, type LogLine } from './log-line.ts'
import { shortSource } from './log-text.ts'

interface LogRowProps {
  readonly line: LogLine
  readonly agent: string
  readonly height: number
  /** Whether all of a long line is shown. */
  readonly isWhole: boolean
  readonly onShowWhole: (id: number) => void
}

/** A line of a log, or an event of the cluster, which is marked. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, agent, height, isWhole, onShowWhole } = props
  const { id, time, source, container, isEvent, text } = line
  const shown = isWhole ? text : beginningOf(text)
  return (
    <div className={isEvent ? 'log-line event' : 'log-line'} style={{ height }}>
      <time dateTime={time}>{clockOf(time)}</time>
      {source !== '' && (
        <span className="origin" title={visible(`${source} ${container}`.trimEnd())}>
          {shortSource(line, agent)}
        </span>
      )}
      <bdi>{shown}</bdi>
      {shown.length < text.length && (
        <button type="button" className="button small" onClick={() => onShowWhole(id)}>
          Show all {text.length.toLocaleString('en-US')} characters
        </button>
      )}
    </div>
  )
})

/** The user's time of day, with milliseconds. */
function clockOf(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(
    (value) => String(value).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
