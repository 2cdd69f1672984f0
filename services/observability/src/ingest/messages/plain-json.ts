import type { AnyValue } from '@slipway/proto/opentelemetry/proto/common/v1/common'

/** Maximum nesting of attributes that are read. */
const MAX_DEPTH = 32

/** An object parsed from JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Whether a value parsed from JSON is an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts a structured attribute to what JSON.parse would return for it. */
export function toPlain({ value: content }: AnyValue, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null
  switch (content.case) {
    case 'stringValue':
    case 'boolValue':
    case 'doubleValue':
      return content.value
    case 'intValue':
      return Number(content.value)
    case 'arrayValue':
      return content.value.values.map((element) => toPlain(element, depth + 1))
    case 'kvlistValue':
      return Object.fromEntries(
        content.value.values.map(({ key, value }) => [
          key,
          value === undefined ? null : toPlain(value, depth + 1),
        ]),
      )
    case 'bytesValue':
    case 'stringValueStrindex':
    case undefined:
      return null
  }
}

/**
 * Returns a value as text: a string unchanged, other values as JSON. Values that are nested too
 * deeply to be written are empty.
 */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

/** Returns the text of a JSON string; all other text unchanged. */
export function unquoted(json: string): string {
  if (!json.startsWith('"')) return json
  try {
    return toText(JSON.parse(json))
  } catch {
    return json
  }
}
