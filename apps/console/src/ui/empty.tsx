import type { ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** What to do next. */
  readonly children?: ReactNode
}

/** Says that there is nothing, and what to do next. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
