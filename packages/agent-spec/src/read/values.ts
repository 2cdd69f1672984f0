import { isObject, own, sortedEntries, type JsonObject, type JsonValue } from '../json.ts'

/** Returns a field's string; undefined if it isn't a string or is empty. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a field's whole number, in range or not; undefined for anything else. */
export function integerOf(object: JsonObject, key: string): number | undefined {
  const value = own(object, key)
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

/** Whether a field is `true`. */
export function isTrue(object: JsonObject, key: string): boolean {
  return own(object, key) === true
}

/** Returns a field's mapping, or an empty one. */
export function objectOf(object: JsonObject, key: string): JsonObject {
  const value = own(object, key)
  return isObject(value) ? value : {}
}

/** Returns a field's list, or an empty one. */
export function listOf(object: JsonObject, key: string): readonly JsonValue[] {
  const value = own(object, key)
  return Array.isArray(value) ? value : []
}

/**
 * Returns the inputs of the agent or of an entry with their keys or positions. They are a mapping,
 * whose keys have no meaning, or a list.
 */
export function inputsOf(object: JsonObject): [string | number, JsonObject][] {
  const value = own(object, 'inputs')
  const inputs = Array.isArray(value)
    ? [...value.entries()]
    : sortedEntries(objectOf(object, 'inputs'))
  return inputs.flatMap(([key, input]): [string | number, JsonObject][] =>
    isObject(input) ? [[key, input]] : [],
  )
}

/**
 * The maximum number of entries in a section, and the maximum lengths of their names and variables.
 * Each entry adds variables to the agent and to every ingestion, so without these bounds a template
 * could grow with the square of the file.
 */
export const ENTRY_LIMITS = { count: 50, nameLength: 100, variableLength: 253 } as const

/** The maximum number of tags and their maximum length. The catalog indexes whole tags. */
export const TAG_LIMITS = { count: 50, length: 100 } as const

/** Reads the entries of a section in code point order of their names, within ENTRY_LIMITS. */
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

/** Returns a field that becomes (part of) the name of a variable; undefined if it is too long. */
export function variableNameOf(object: JsonObject, key: string): string | undefined {
  const name = textOf(object, key)
  return name !== undefined && name.length <= ENTRY_LIMITS.variableLength ? name : undefined
}

/** Returns the string that an environment variable gets for a value of the file. */
export function environmentText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
