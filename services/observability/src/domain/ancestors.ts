/** The id of a span's parent; undefined if there is no such span. */
type ParentOf = (id: string) => string | undefined

/** Returns the spans that are their own ancestors. Visits each span once. */
export function findCycles(ids: Iterable<string>, parentOf: ParentOf): ReadonlySet<string> {
  const walkOf = new Map<string, string>()
  const cycles = new Set<string>()
  for (const start of ids) {
    let at = start
    for (let next = parentOf(at); next !== undefined && !walkOf.has(at); next = parentOf(at)) {
      walkOf.set(at, start)
      at = next
    }
    if (walkOf.get(at) !== start) continue
    for (; !cycles.has(at); at = parentOf(at) ?? at) cycles.add(at)
  }
  return cycles
}

/** Returns a function that finds whether an ancestor of a span matches. Visits each span once. */
export function createAncestorTest(
  parentOf: ParentOf,
  matches: (id: string) => boolean,
): (id: string) => boolean {
  /** Whether a span or an ancestor of it matches. */
  const known = new Map<string, boolean>()
  return (id) => {
    const path: string[] = []
    let at = parentOf(id)
    while (at !== undefined && !known.has(at)) {
      // A cycle ends at a span that was visited before.
      known.set(at, matches(at))
      if (known.get(at) === true) break
      path.push(at)
      at = parentOf(at)
    }
    const isFound = at !== undefined && known.get(at) === true
    for (const each of path) known.set(each, isFound)
    return isFound
  }
}
