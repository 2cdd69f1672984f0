import type { JsonObject, JsonValue } from '../json.ts'

/** Words and words with dots, slashes and the like: text that YAML reads as a string unquoted. */
const PLAIN = /^[A-Za-z_/](?:[\w./@+=%()-]|:(?=[\w/])|[,;] ?(?=[\w/(])| (?=[\w/(]))*$/
/** Quantities and durations, such as 512Mi and 10s. */
const PLAIN_QUANTITY = /^\d+(?:ms|[smh]|[KMGT]i?)$/
/** What some reader of YAML takes for another type. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i
const MAX_PLAIN_LENGTH = 1_000
/** Characters that JSON allows in strings and YAML doesn't, or not in a line. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

/**
 * Writes a deployment template as YAML: keys in its order, without anchors or folded lines. A
 * library needs 20 times as long, and a template can have 256 KiB.
 */
export function templateToYaml(template: object): string {
  // A template consists of JSON values.
  return linesOf(template as JsonObject, '')
}

/** The lines of a mapping or a list that isn't empty. */
function linesOf(value: JsonObject | JsonValue[], indent: string): string {
  const inner = `${indent}  `
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) {
      const lines = isNested(item) ? linesOf(item, inner).slice(inner.length) : inlineOf(item)
      text += `${indent}- ${lines}`
    }
    return text
  }
  for (const [key, member] of Object.entries(value)) {
    const lines = isNested(member) ? `\n${linesOf(member, inner)}` : ` ${inlineOf(member)}`
    text += `${indent}${stringOf(key)}:${lines}`
  }
  return text
}

function isNested(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** The rest of a line, for a value that isn't nested. */
function inlineOf(value: JsonValue): string {
  if (typeof value === 'string') return `${stringOf(value)}\n`
  if (typeof value !== 'object' || value === null) return `${String(value)}\n`
  return Array.isArray(value) ? '[]\n' : '{}\n'
}

/** A string, quoted as in JSON if necessary: YAML 1.2 reads JSON's escapes as well. */
function stringOf(text: string): string {
  const isPlain = text.length <= MAX_PLAIN_LENGTH && (PLAIN.test(text) || PLAIN_QUANTITY.test(text))
  if (isPlain && !RESERVED.test(text)) return text
  return JSON.stringify(text).replace(UNPRINTABLE, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
