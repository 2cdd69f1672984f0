import { cleanLine } from './clean.ts'
import { shorten, widthOf } from './width.ts'

/** A text in exactly this many columns: shortened, or filled with spaces. */
export function fit(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const short = shorten(cleanLine(text), columns)
  const padding = ' '.repeat(Math.max(0, columns - widthOf(short)))
  return align === 'right' ? padding + short : short + padding
}
