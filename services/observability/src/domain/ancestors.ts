/** Returns the parent of a span; undefined if there is no such span. */
type ParentOf<Span> = (span: Span) => Span | undefined

/** Returns the spans that are their own ancestors. Visits each span once. */
export function findCycles<Span>(
  spans: Iterable<Span>,
  parentOf: ParentOf<Span>,
): ReadonlySet<Span> {
  const walkOf = new Map<Span, Span>()
  const cycles = new Set<Span>()
  for (const start of spans) {
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
export function createAncestorTest<Span>(
  parentOf: ParentOf<Span>,
  matches: (span: Span) => boolean,
): (span: Span) => boolean {
  /** Whether a span or an ancestor of it matches. */
  const known = new Map<Span, boolean>()
  return (span) => {
    const path: Span[] = []
    let at = parentOf(span)
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
