/** Longer names are not compared. */
const MAX_LENGTH = 60
/** The maximum number of typing errors in a name. */
const MAX_EDITS = 2

/**
 * Returns the candidate that a misspelled name most likely means: the one with the fewest typing
 * errors (a character that is missing, added or replaced, or two that are swapped). Undefined if
 * none is close.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let closest: string | undefined
  // A short name is close to every other short name.
  let fewest = Math.min(MAX_EDITS, Math.floor(name.length / 3)) + 1
  if (name.length > MAX_LENGTH) return undefined
  const wanted = name.toLowerCase()
  for (const candidate of candidates) {
    if (candidate.length > MAX_LENGTH) continue
    if (Math.abs(name.length - candidate.length) >= fewest) continue
    const edits = editsBetween(wanted, candidate.toLowerCase(), fewest - 1)
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

/**
 * The number of typing errors from a position in each name if it is at most `most`, otherwise more.
 */
function editsBetween(from: string, to: string, most: number, at = 0, other = 0): number {
  while (at < from.length && from[at] === to[other]) {
    at += 1
    other += 1
  }
  if (at === from.length || other === to.length) return from.length - at + (to.length - other)
  if (most === 0) return Infinity
  const missing = editsBetween(from, to, most - 1, at, other + 1)
  const added = editsBetween(from, to, most - 1, at + 1, other)
  const replaced = editsBetween(from, to, most - 1, at + 1, other + 1)
  const isSwapped = from[at] === to[other + 1] && from[at + 1] === to[other]
  const swapped = isSwapped ? editsBetween(from, to, most - 1, at + 2, other + 2) : Infinity
  return 1 + Math.min(missing, added, replaced, swapped)
}
