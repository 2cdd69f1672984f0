/** Longer names are not compared: the effort grows with the square of their length. */
const MAX_LENGTH = 60
/** The maximum number of typing errors in a name. */
const MAX_EDITS = 2

/**
 * Returns the candidate that a misspelled name most likely means: the one with the fewest typing
 * errors (a character that is missing, added or replaced). Undefined if none is close.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let closest: string | undefined
  // A short name is close to every other short name.
  let fewest = Math.min(MAX_EDITS, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.max(name.length, candidate.length) > MAX_LENGTH) continue
    if (Math.abs(name.length - candidate.length) >= fewest) continue
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest) {
      closest = candidate
      fewest = edits
    }
  }
  return closest
}

/** Returns the hint for a misspelled name, such as `; did you mean version?`, or ''. */
export function hintFor(name: string, candidates: Iterable<string>): string {
  const meant = closestName(name, candidates)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** The Levenshtein distance, https://en.wikipedia.org/wiki/Levenshtein_distance. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
