import { createRequire } from 'node:module'

import type stringWidth from 'string-width'

/**
 * Any character but those that always take one column, whatever is next to them: of ASCII, Latin-1,
 * punctuation, and our own signs and bars.
 */
const OTHER = /[^\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u2190-\u2193\u2581-\u2591\u2713\u2717]/

let measure: typeof stringWidth | undefined

/** How many columns the text takes on a terminal. */
export function widthOf(text: string): number {
  if (!OTHER.test(text)) return text.length
  measure ??= loadedMeasure()
  return measure(text)
}

/** Loading it takes as long as all else that a small command does, and few texts need it. */
function loadedMeasure(): typeof stringWidth {
  const load = createRequire(import.meta.url)
  return (load('#string-width') as { default: typeof stringWidth }).default
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
