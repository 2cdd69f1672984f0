/** A value that differs between two documents. */
export interface Difference {
  readonly path: string
  /** Absent if the first document has no such value. */
  readonly old?: unknown
  /** Absent if the second document has no such value. */
  readonly new?: unknown
}

/** The values that differ between two JSON documents, in the order of their paths. */
export function jsonDiff(before: unknown, after: unknown): readonly Difference[] {
  const [old, changed] = [flattened(before), flattened(after)]
  const paths = [...new Set([...old.keys(), ...changed.keys()])].sort()
  return paths.flatMap((path) => {
    if (old.has(path) && changed.has(path) && Object.is(old.get(path), changed.get(path))) return []
    return [
      {
        path,
        ...(old.has(path) && { old: old.get(path) }),
        ...(changed.has(path) && { new: changed.get(path) }),
      },
    ]
  })
}

function flattened(document: unknown): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      values.set(path, value)
      return
    }
    for (const [key, member] of membersOf(value))
      visit(member, path === '' || key.startsWith('[') ? `${path}${key}` : `${path}.${key}`)
  }
  visit(document, '')
  return values
}

/** The members of a mapping, or of a list: those with a name by it, so that their order is free. */
function membersOf(value: object): readonly (readonly [key: string, member: unknown])[] {
  if (!Array.isArray(value)) return Object.entries(value)
  const names = value.map(nameOf)
  const areUnique = !names.includes(undefined) && new Set(names).size === names.length
  return value.map((member, index) => [`[${areUnique ? names[index] : index}]`, member])
}

function nameOf(member: unknown): string | undefined {
  if (typeof member !== 'object' || member === null) return undefined
  const { name, key } = member as { name?: unknown; key?: unknown }
  return typeof name === 'string' ? name : typeof key === 'string' ? key : undefined
}
