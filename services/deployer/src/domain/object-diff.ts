/** A field that differs between two objects. Undefined values are not set. */
export interface FieldChange {
  /** E.g. `spec.template.spec.containers[agent].image`. */
  readonly path: string
  readonly old: unknown
  readonly new: unknown
}

type Entries = Readonly<Record<string, unknown>>

/** Members of every object that its users don't set, or that only controllers set. */
const UNCOMPARED: ReadonlySet<string> = new Set(['status', 'managedFields'])
const SYSTEM_METADATA: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
])

/**
 * Lists the fields that differ between an object of the cluster and the same object after a change,
 * sorted by path within each level. Entries of lists are matched by their names, if each has one.
 */
export function objectChanges(before: object, after: object): FieldChange[] {
  return changes(comparable(before), comparable(after), '')
}

/** Like objectChanges, but only for fields that `after` sets. */
export function setChanges(before: object, after: object): FieldChange[] {
  return objectChanges(before, after).filter((change) => change.new !== undefined)
}

function comparable(object: object): Entries {
  const { metadata = {}, ...rest } = object as { metadata?: Entries }
  const kept = (entries: Entries, omitted: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !omitted.has(key)))
  return { metadata: kept(metadata, SYSTEM_METADATA), ...kept(rest, UNCOMPARED) }
}

function changes(before: unknown, after: unknown, path: string): FieldChange[] {
  if (isMapping(before) && isMapping(after)) {
    return entryChanges(before, after, (key) =>
      /^[\w-]+$/.test(key) ? `${path}${path === '' ? '' : '.'}${key}` : `${path}[${key}]`,
    )
  }
  const [named, others] = [byName(before), byName(after)]
  if (named && others) return entryChanges(named, others, (key) => `${path}[${key}]`)
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, old: before, new: after }]
}

function entryChanges(
  before: Entries,
  after: Entries,
  pathOf: (key: string) => string,
): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .flatMap((key) => changes(before[key], after[key], pathOf(key)))
}

function isMapping(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The entries of a list by their names; undefined if it is not a list of named entries. */
function byName(value: unknown): Entries | undefined {
  if (!Array.isArray(value)) return undefined
  const names = value.map((entry: unknown) => (isMapping(entry) ? entry['name'] : undefined))
  const isNamed = names.every((name) => typeof name === 'string')
  if (!isNamed || new Set(names).size < names.length) return undefined
  return Object.fromEntries(value.map((entry: Entries) => [String(entry['name']), entry]))
}
