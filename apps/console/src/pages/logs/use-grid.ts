import { useEffect, useRef, useState } from 'react'

/** How much of a line fits into the width of the log. */
export interface LogGrid {
  /** Characters of a text in a row. */
  readonly columns: number
  /** Rows above the text, where time and pod are not next to it. */
  readonly rowsAbove: number
}

/** Of 100 characters. */
const RULER_CHARACTERS = 100
/** Widths are rounded. */
const TOLERANCE = 0.05
const AT_FIRST: LogGrid = { columns: 80, rowsAbove: 0 }

/**
 * How much of a line fits, from three parts of a hidden line: the line, its text, and a ruler of
 * 100 characters. So the heights of all lines are known without measuring them.
 */
export function useGrid(rowPx: number) {
  const line = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLElement>(null)
  const ruler = useRef<HTMLElement>(null)
  const [grid, setGrid] = useState(AT_FIRST)
  useEffect(() => {
    const parts = [line.current, text.current, ruler.current]
    const resizes = new ResizeObserver(() => {
      const [ofLine, ofText, ofRuler] = parts.map((part) => part?.getBoundingClientRect())
      if (ofLine === undefined || ofText === undefined || ofRuler === undefined) return
      const character = ofRuler.width / RULER_CHARACTERS
      const columns = Math.max(1, Math.floor(ofText.width / character - TOLERANCE))
      const rowsAbove = Math.max(0, Math.round(ofLine.height / rowPx) - 1)
      setGrid((known) =>
        known.columns === columns && known.rowsAbove === rowsAbove ? known : { columns, rowsAbove },
      )
    })
    for (const part of parts) if (part !== null) resizes.observe(part)
    return () => resizes.disconnect()
  }, [rowPx])
  return { grid, line, text, ruler }
}
