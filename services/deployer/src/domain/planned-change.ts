import { objectChanges, setChanges, type FieldChange } from './object-diff.ts'

/** What a deploy would do to an object; `rejected` if the cluster wouldn't accept it. */
export type PlannedAction = 'create' | 'change' | 'delete' | 'unchanged' | 'rejected'

/** A field that a deploy would change. */
export interface PlannedField {
  readonly path: string
  /** The values as JSON; empty if not set, and for the values of Secrets. */
  readonly oldJson: string
  readonly newJson: string
}

/** What a deploy would do to one object. */
export interface PlannedChange {
  readonly kind: string
  readonly name: string
  readonly action: PlannedAction
  readonly fields: readonly PlannedField[]
  readonly omittedFields: number
  /** Names of pods. */
  readonly restarts: readonly string[]
}

/** The limits of a plan. */
export const PLAN_LIMITS = { fieldsOfObject: 50, fields: 500, valueLength: 500 } as const

/** An object before and after a deploy. */
export interface ComparedObject {
  readonly kind: string
  readonly name: string
  /** Undefined if it doesn't exist. */
  readonly before: object | undefined
  readonly after: object
  /** Whether `after` has only the fields that the deployer sets. */
  readonly isPartial: boolean
  /** The pods that are replaced if their template changes. */
  readonly pods: readonly string[]
}

/** Returns a change without fields. */
export function plainChange(
  { kind, name }: { readonly kind: string; readonly name: string },
  action: PlannedAction,
): PlannedChange {
  return { kind, name, action, fields: [], omittedFields: 0, restarts: [] }
}

/** Compares an object before and after a deploy. `redact` removes secret values from texts. */
export function plannedChange(
  { kind, name, before, after, isPartial, pods }: ComparedObject,
  redact: (text: string) => string,
): PlannedChange {
  if (before === undefined) return plainChange({ kind, name }, 'create')
  const found = isPartial ? setChanges(before, after) : objectChanges(before, after)
  if (found.length === 0) return plainChange({ kind, name }, 'unchanged')
  const shown = found.slice(0, PLAN_LIMITS.fieldsOfObject)
  return {
    kind,
    name,
    action: 'change',
    fields: shown.map((change) => plannedField(kind, change, redact)),
    omittedFields: found.length - shown.length,
    restarts: found.some(({ path }) => path.startsWith('spec.template')) ? pods : [],
  }
}

/** Omits fields beyond the limit of a plan. */
export function limitFields(plan: readonly PlannedChange[]): PlannedChange[] {
  let left: number = PLAN_LIMITS.fields
  return plan.map((change) => {
    const fields = change.fields.slice(0, left)
    left -= fields.length
    const omitted = change.fields.length - fields.length
    return { ...change, fields, omittedFields: change.omittedFields + omitted }
  })
}

function plannedField(
  kind: string,
  { path, old, new: next }: FieldChange,
  redact: (text: string) => string,
): PlannedField {
  const isSecret = kind === 'Secret' && !path.startsWith('metadata')
  const json = (value: unknown) => (isSecret ? '' : shownJson(value, redact))
  return { path, oldJson: json(old), newJson: json(next) }
}

/** A value as JSON without secrets; the beginning of a long one, as a string. */
function shownJson(value: unknown, redact: (text: string) => string): string {
  if (value === undefined) return ''
  const json = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? redact(member) : member,
  )
  const { valueLength } = PLAN_LIMITS
  if (json.length <= valueLength) return json
  const text = typeof value === 'string' ? redact(value) : json
  return JSON.stringify(`${text.slice(0, valueLength).toWellFormed()}…`)
}
