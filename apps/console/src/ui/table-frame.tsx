import type { ReactNode } from 'react'

interface TableFrameProps {
  readonly label: string
  readonly children: ReactNode
}

/** Frames a table, which scrolls in it if it is too wide; by keyboard too. */
export function TableFrame({ label, children }: TableFrameProps) {
  return (
    <div className="table-frame" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
