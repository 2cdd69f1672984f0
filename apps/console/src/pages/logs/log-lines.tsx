import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'

import { shorten } from '../../text/shorten.ts'
import type { LogLine } from './log-buffer.ts'

const LINE_PX = 20
const OVERSCAN = 20
/** Characters of a line that are shown at first. */
const MOST_CHARACTERS = 2_000
/** So close to the end, the newest line stays in view. */
const NEAR_END_PX = 40

/** The lines of a log. Only those in view are in the page. */
export function LogLines({ lines }: { readonly lines: readonly LogLine[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: OVERSCAN,
  })
  useEffect(() => {
    if (isAtEnd) virtualizer.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [isAtEnd, lines, virtualizer])
  const onScroll = () => {
    const { current: element } = frame
    if (element === null) return
    const left = element.scrollHeight - element.scrollTop - element.clientHeight
    setAtEnd(left < NEAR_END_PX)
  }
  const rows = virtualizer.getVirtualItems()
  return (
    <div className="log-frame">
      <div
        className="log"
        ref={frame}
        onScroll={onScroll}
        role="log"
        aria-label="Lines of the log"
        aria-live="off"
        tabIndex={0}
      >
        <div className="log-size" style={{ height: virtualizer.getTotalSize() }}>
          <div style={{ transform: `translateY(${rows[0]?.start ?? 0}px)` }}>
            {rows.map(({ index, key }) => {
              const line = lines[index]
              if (line === undefined) return null
              return (
                <div
                  key={key}
                  className="log-line"
                  data-index={index}
                  ref={virtualizer.measureElement}
                >
                  <time dateTime={line.time}>{clockOf(line.time)}</time>
                  {line.origin !== '' && <span className="origin">{line.origin}</span>}
                  <LineText
                    text={line.text}
                    isWhole={whole.has(line.id)}
                    onShow={() => setWhole(new Set([...whole, line.id]))}
                  />
                </div>
              )
            })}
          </div>
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="button to-end" onClick={() => setAtEnd(true)}>
          ↓ Newest line
        </button>
      )}
    </div>
  )
}

interface LineTextProps {
  readonly text: string
  readonly isWhole: boolean
  readonly onShow: () => void
}

/** The text of a line: its beginning if it is long, and a way to see the rest. */
function LineText({ text, isWhole, onShow }: LineTextProps) {
  const shown = isWhole ? text : shorten(text, MOST_CHARACTERS)
  return (
    <>
      <bdi>{shown}</bdi>
      {shown.length < text.length && (
        <button type="button" className="button small" onClick={onShow}>
          Show all {text.length.toLocaleString('en-US')} characters
        </button>
      )}
    </>
  )
}

/** The user's time of day, with milliseconds. */
function clockOf(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const millis = String(date.getMilliseconds()).padStart(3, '0')
  return `${date.toLocaleTimeString('sv')}.${millis}`
}
