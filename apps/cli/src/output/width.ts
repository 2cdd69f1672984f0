import stringWidth from 'string-width'

/** How many columns the text takes on a terminal. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/** Shortens a text to this many columns, and ends it with `…` if something is missing. */
export function shorten(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 1) return ''
  let width = 0
  let short = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    short += segment
  }
  return `${short}…`
}
