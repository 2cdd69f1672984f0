import { clean } from './clean.ts'
import { widthOf } from './width.ts'

/** Breaks a text of others into lines of at most this many columns, at spaces where it can. */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(1, columns)
  return clean(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), width))
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line]
  const wrapped: string[] = []
  let current = ''
  for (const word of line.split(/(?<= )(?=\S)/)) {
    if (widthOf(current + word.trimEnd()) <= width) {
      current += word
      continue
    }
    if (current.trim() !== '') wrapped.push(current.trimEnd())
    const pieces = breakWord(word, width)
    current = pieces.pop() ?? ''
    wrapped.push(...pieces)
  }
  return [...wrapped, current.trimEnd()]
}

/** Breaks a word that doesn't fit. */
function breakWord(word: string, width: number): string[] {
  if (widthOf(word.trimEnd()) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}
