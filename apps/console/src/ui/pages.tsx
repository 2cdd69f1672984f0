interface PagesProps {
  readonly label: string
  readonly offset: number
  readonly shown: number
  readonly total: number
  readonly perPage: number
  /** The words on the buttons to the previous and to the next page. */
  readonly words: readonly [previous: string, next: string]
  /** Called with the offset of the page to show; undefined is the first one. */
  readonly onChange: (offset: number | undefined) => void
}

/** Leads to the pages of a list. */
export function Pages({ label, offset, shown, total, perPage, words, onChange }: PagesProps) {
  const [previous, next] = words
  const goTo = (to: number) => onChange(to <= 0 ? undefined : to)
  return (
    <nav className="pages" aria-label={label}>
      <span className="faint">
        {offset + 1} to {offset + shown} of {total}
      </span>
      <button
        type="button"
        className="button small"
        disabled={offset === 0}
        onClick={() => goTo(offset - perPage)}
      >
        {previous}
      </button>
      <button
        type="button"
        className="button small"
        disabled={offset + shown >= total}
        onClick={() => goTo(offset + perPage)}
      >
        {next}
      </button>
    </nav>
  )
}
