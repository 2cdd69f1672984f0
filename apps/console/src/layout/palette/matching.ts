/** Something that the command palette leads to or does. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  /** More about it, which is searched too. */
  readonly hint?: string
  readonly run: () => void
}

/** Items below a title. */
export interface PaletteGroup {
  readonly value: string
  readonly items: readonly PaletteItem[]
}

const MOST_OF_A_GROUP = 20

/** The items that have all words, in groups; the first ones of each. */
export function matching(groups: readonly PaletteGroup[], words: string): PaletteGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return groups.flatMap(({ value, items }) => {
    const found = items.filter(({ label, hint = '' }) => {
      const text = `${label} ${hint}`.toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
    return found.length === 0 ? [] : [{ value, items: found.slice(0, MOST_OF_A_GROUP) }]
  })
}
