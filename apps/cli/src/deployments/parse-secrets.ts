import { parseEnv } from 'node:util'

/**
 * Parses credentials: lines `NAME=VALUE` (dotenv), or a JSON object whose values are texts. Throws
 * an error without any value in it.
 */
export function parseSecrets(text: string): Readonly<Record<string, string>> {
  const content = text.replace(/^\uFEFF/, '')
  if (!content.trimStart().startsWith('{')) return parseLines(content)
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch {
    throw new Error('it is not valid JSON')
  }
  for (const [name, value] of Object.entries(parsed as object))
    if (typeof value !== 'string') throw new Error(`the value of ${name} is not a text`)
  return parsed as Readonly<Record<string, string>>
}

function parseLines(text: string): Readonly<Record<string, string>> {
  const parsed = Object.entries(parseEnv(text)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const isBlank = text.split(/\r?\n/).every((line) => /^\s*(#.*)?$/.test(line))
  if (parsed.length === 0 && !isBlank) throw new Error('it has no line NAME=VALUE')
  return Object.fromEntries(parsed)
}
