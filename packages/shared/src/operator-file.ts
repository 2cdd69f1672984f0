import type { ConfigReader } from './config.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A file of the operator, as it was read at start. */
export interface OperatorFile<Value> {
  /** The setting that names the file. */
  readonly name: string
  readonly path: string
  /** The value of the content that was read at start. */
  readonly initial: Value
  /** Converts the content; throws an Error with a message for operators. */
  readonly parse: (text: string) => Value
}

/**
 * Reads the file that a setting names; undefined if it is unset or not valid, which is reported.
 */
export function readOperatorFile<Value>(
  reader: ConfigReader,
  name: string,
  parseText: (text: string) => Value,
): OperatorFile<Value> | undefined {
  const text = reader.file(name)
  const path = reader.optional(name)
  if (text === undefined || path === undefined) return undefined
  try {
    return { name, path, initial: parseText(text), parse: parseText }
  } catch (error) {
    reader.report(`${name}: ${error instanceof Error ? error.message : 'is not valid'}`)
    return undefined
  }
}

/** Returns a mapping that has only some of these keys; throws an Error that names its path. */
export function mappingOf<Key extends string>(
  value: unknown,
  path: string,
  keys: readonly Key[],
): Partial<Record<Key, unknown>> {
  const mapping = anyMapping(value, path)
  const unknown = Object.keys(mapping).find((key) => !(keys as readonly string[]).includes(key))
  if (unknown === undefined) return mapping as Partial<Record<Key, unknown>>
  throw new Error(`${path}: has the unknown key ${unknown}; it can have ${keys.join(', ')}`)
}

/** Returns a mapping with keys of any name; throws an Error that names its path. */
export function anyMapping(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new Error(`${path}: must be a mapping`)
}

/** Whether a value is the id of an account. */
export function isAccountId(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value)
}
