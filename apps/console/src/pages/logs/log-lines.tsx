import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { beginningOf, columnsOf, type LogLine } from './log-line.ts'
import { LogRow } from './log-row.tsx'
import { useFollowing } from './use-following.ts'
import { useGrid, type LogGrid } from './use-grid.ts'

/** As in the style of a line. */
const ROW_PX = 20
const OVERSCAN = 8

interface LogLinesProps {
  readonly agent: string
  readonly lines: readonly LogLine[]
  readonly isOfSeveralPods: boolean
}

/**
 * The lines of a log. Only those in view are in the page. Their heights are computed, because to
 * measure them takes longer than to draw them.
 */
export function LogLines({ agent, lines, isOfSeveralPods }: LogLinesProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { shown, isFollowing, hold, follow, handlers } = useFollowing(frame, lines)
  const { grid, line, text, ruler } = useGrid(ROW_PX)
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
  const showWhole = useCallback(
    (id: number) => {
      hold()
      setWhole((known) => new Set([...known, id]))
    },
    [hold],
  )
  const sizes = useMemo(
    () => ({
      getItemKey: (index: number) => shown[index]?.id ?? index,
      estimateSize: (index: number) => ROW_PX * rowsOf(shown[index], whole, grid),
    }),
    [shown, whole, grid],
  )
  const virtualizer = useVirtualizer({
    ...sizes,
    count: shown.length,
    getScrollElement: () => frame.current,
    overscan: OVERSCAN,
  })
  const rows = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()
  useLayoutEffect(() => {
    if (isFollowing && frame.current !== null) frame.current.scrollTop = height
  }, [isFollowing, height])
  return (
    <div className="log-frame">
      <div
        className={isOfSeveralPods ? 'log of-several-pods' : 'log'}
        ref={frame}
        role="log"
        aria-label="Lines of the log"
        aria-live="off"
        tabIndex={0}
        {...handlers}
      >
        <div className="log-line log-probe" aria-hidden="true" ref={line}>
          <time />
          {isOfSeveralPods && <span className="origin" />}
          <bdi ref={text} />
          <i ref={ruler} />
        </div>
        <div className="log-size" style={{ height }}>
          <div style={{ transform: `translateY(${rows[0]?.start ?? 0}px)` }}>
            {rows.map(({ index, key, size }) => {
              const each = shown[index]
              return (
                each !== undefined && (
                  <LogRow
                    key={key}
                    line={each}
                    agent={agent}
                    height={size}
                    isWhole={whole.has(each.id)}
                    onShowWhole={showWhole}
                  />
                )
              )
            })}
          </div>
        </div>
      </div>
      {!isFollowing && (
        <button type="button" className="button to-end" onClick={follow}>
          ↓ Newest line
        </button>
      )}
    </div>
  )
}

function rowsOf(
  line: LogLine | undefined,
  whole: ReadonlySet<number>,
  { columns, rowsAbove }: LogGrid,
): number {
  if (line === undefined) return 1
  const isWhole = whole.has(line.id)
  const needed = isWhole ? columnsOf(line.text) : line.columns
  const hasButton = !isWhole && beginningOf(line.text).length < line.text.length
  return rowsAbove + Math.max(1, Math.ceil(needed / columns)) + (hasButton ? 1 : 0)
}
