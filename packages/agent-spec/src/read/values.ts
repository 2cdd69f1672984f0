import { isObject, own, sortedEntries, type JsonObject, type JsonValue } from '../json.ts'

/** A field's text; absent when it is no text or empty. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A field's number when it is whole, in range or not. */
export function integerOf(object: JsonObject, key: string): number | undefined {
  const value = own(object, key)
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

/** Whether a field is `true`. */
export function isTrue(object: JsonObject, key: string): boolean {
  return own(object, key) === true
}

/** A field's mapping, empty when it is none. */
export function objectOf(object: JsonObject, key: string): JsonObject {
  const value = own(object, key)
  return isObject(value) ? value : {}
}

/** A field's list, empty when it is none. */
export function listOf(object: JsonObject, key: string): readonly JsonValue[] {
  const value = own(object, key)
  return Array.isArray(value) ? value : []
}

/**
 * How many entries of a section are read, and how long their names may be. Each entry brings
 * variables to the agent and to every ingestion, so these bounds keep a template from growing with
 * the square of the file.
 */
export const ENTRY_LIMITS = { count: 50, nameLength: 100, variableLength: 253 } as const

/** How many tags the catalog takes, and how long each may be: an index holds them whole. */
export const TAG_LIMITS = { count: 50, length: 100 } as const

/** The mappings in a field that maps names to mappings, in code point order, up to the limits. */
export function entriesOf<T>(
  object: JsonObject,
  key: string,
  read: (entry: JsonObject) => T,
): Record<string, T> {
  const entries = sortedEntries(objectOf(object, key)).filter(
    ([name]) => name.length <= ENTRY_LIMITS.nameLength,
  )
  const known = entries.slice(0, ENTRY_LIMITS.count)
  return Object.fromEntries(
    known.flatMap(([name, entry]) => (isObject(entry) ? [[name, read(entry)]] : [])),
  )
}

/** A field that becomes the name of a variable, or part of one. */
export function variableNameOf(object: JsonObject, key: string): string | undefined {
  const name = textOf(object, key)
  return name !== undefined && name.length <= ENTRY_LIMITS.variableLength ? name : undefined
}

/** The text that an environment variable gets for a value of the file. */
export function environmentText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
