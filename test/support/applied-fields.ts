import type { ApiObject } from '@slipway/local/kubernetes/client'

/** The fields of an object that a manager has applied, as `f:name`, `k:{…}` and `v:…` keys. */
interface FieldSet {
  readonly [key: string]: FieldSet
}

/** An object with the managers of its fields. */
export interface ManagedObject extends ApiObject {
  readonly metadata: ApiObject['metadata'] & {
    readonly managedFields?: readonly {
      readonly manager: string
      readonly operation: string
      readonly fieldsV1: FieldSet
    }[]
  }
}

type Fields = Record<string, unknown>

/** Whether a manager has applied the object. */
export function hasApplied(object: ManagedObject, manager: string): boolean {
  return fieldsOf(object, manager) !== undefined
}

/**
 * Returns only the fields that a manager has applied, without what the API server, controllers and
 * others have added; see
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management.
 */
export function appliedFields(object: ManagedObject, manager: string): Fields {
  const { name, namespace } = object.metadata
  const fields = pick(object, fieldsOf(object, manager) ?? {}) as Fields
  return { ...fields, metadata: { name, namespace, ...(fields['metadata'] as Fields) } }
}

function fieldsOf({ metadata }: ManagedObject, manager: string): FieldSet | undefined {
  return metadata.managedFields?.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply',
  )?.fieldsV1
}

function pick(value: unknown, set: FieldSet): unknown {
  const keys = Object.keys(set).filter((key) => key !== '.')
  if (keys.length === 0) return value
  if (Array.isArray(value)) return keys.map((key) => pickItem(value, key, set[key] ?? {}))
  const fields = value as Fields
  return Object.fromEntries(
    keys.map((key) => [key.slice(2), pick(fields[key.slice(2)], set[key] ?? {})]),
  )
}

function pickItem(items: readonly unknown[], key: string, set: FieldSet): unknown {
  const wanted: unknown = JSON.parse(key.slice(2))
  if (key.startsWith('v:')) return wanted
  const identity = Object.entries(wanted as Fields)
  const item = items.find((each) => identity.every(([name, is]) => (each as Fields)[name] === is))
  return pick(item, set)
}
