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
