/** How many letters may be wrong, missing or swapped. */
const MOST_ERRORS = 2

/** The word that a mistyped one most likely means. Undefined if none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, errors: errorsBetween(typed.toLowerCase(), word) }))
    .filter(({ word, errors }) => errors <= Math.min(MOST_ERRORS, word.length / 2))
    .sort((a, b) => a.errors - b.errors)
  return best?.word
}

/** Letters that are replaced, missing or too many; two that are swapped count as one. */
function errorsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(rows[i - 1], j) + 1,
        at(row, j - 1) + 1,
        at(rows[i - 1], j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(rows[i - 2], j - 2) + 1 : Infinity,
      )
    }
    rows.push(row)
  }
  return at(rows[a.length], b.length)
}

function at(row: readonly number[] | undefined, index: number): number {
  return row?.[index] ?? Infinity
}
