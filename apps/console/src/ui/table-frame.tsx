import type { ReactNode } from 'react'

interface TableFrameProps {
  readonly label: string
  /**
   * Shows each row as a card where the table would be too wide. Cells then have the word in their
   * `data-label` before them.
   */
  readonly isStacked?: boolean
  readonly children: ReactNode
}

/** Frames a table, which scrolls in it if it is too wide; by keyboard too. */
export function TableFrame({ label, isStacked = false, children }: TableFrameProps) {
  return (
    <div
      className={isStacked ? 'table-frame stacked' : 'table-frame'}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {children}
    </div>
  )
}
