import type { Difference } from '@slipway/words/json-diff'

import type { Cell } from '../output/blocks.ts'

const MOST_CHARACTERS = 120

/** A field that differs, with its old and new values. */
export function differenceLine(field: Difference): readonly Cell[] {
  return [
    `  ${field.path}: `,
    { text: 'old' in field ? shown(field.old) : 'not set', style: 'bad' },
    ' → ',
    { text: 'new' in field ? shown(field.new) : 'not set', style: 'good' },
  ]
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
