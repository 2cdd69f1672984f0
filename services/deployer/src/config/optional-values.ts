import { readFileSync } from 'node:fs'

import type { ConfigReader } from '@slipway/shared/config'

/**
 * Reads a JSON variable, or returns `fallback` when it is unset. Reports a value that is an array
 * where `fallback` isn't, or the reverse.
 */
export function optionalJson<Value>(reader: ConfigReader, name: string, fallback: Value): Value {
  if (reader.optional(name) === undefined) return fallback
  const isArray = Array.isArray(fallback)
  const read = reader.json(name, (value) => {
    if (Array.isArray(value) !== isArray)
      throw new Error(`must be a JSON ${isArray ? 'array' : 'object'}`)
    return value as Value
  })
  return read ?? fallback
}

/** Reads the file that a variable names; undefined when it is unset. Reports an unreadable file. */
export function optionalFile(reader: ConfigReader, name: string): string | undefined {
  const path = reader.optional(name)
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    reader.report(`${name}: the file cannot be read`)
    return undefined
  }
}
