import { compact as compactText, dollars as dollarsText } from '@slipway/words/numbers'

import type { Text } from './blocks.ts'

export { percent } from '@slipway/words/numbers'

/** A number in four characters or so, like `950`, `12.3k` or `4M`; programs get all its digits. */
export function compact(value: number): Text {
  return { text: compactText(value), plain: String(value) }
}

/** US dollars, like `$0.0021` or `$12.34`. Absent costs are unknown, which is not nothing. */
export function dollars(value: number | undefined): Text {
  return { text: dollarsText(value), plain: value === undefined ? '' : String(value) }
}
