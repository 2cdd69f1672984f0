/** Signs that a line is about a variable of the environment that isn't set. */
const ABOUT_VARIABLES =
  /\benv(?:ironment)?\b|\benv[_ ]?vars?\b|os\.environ|process\.env|\bvariables?\b/i
const NOT_SET = new RegExp(
  'missing|required|not (?:set|found|defined|provided|configured)|unset|undefined|must be set|' +
    "empty|by setting|did not find|isn't set|is not in|no value|provide|please set|KeyError",
  'i',
)
/** Names that have several words, or stand where a name is expected. */
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/
const EXPECTED =
  /(?:KeyError: |[Vv]ariables?:? |process\.env\.|environ(?:\.get)?[[(])["'`]?([A-Z][A-Z0-9_]{1,})\b/
const KEY_ERROR = /\bKeyError: '([A-Z][A-Z0-9_]+)'/
/** Libraries that read settings name a field on a line, and on the next one what is wrong. */
const SETTINGS = /validation errors? for \w*(?:settings|config|env)\w*/i
const FIELD = /^\s*([A-Za-z]\w*)\s*$/
/** A title whose variables are on the lines below. */
const TITLE = /(?:missing|invalid|required)[^:]*\b(?:env(?:ironment)?|variables?)\b[^:]*:\s*$/i
const LISTED = /^\s*(?:[-*]\s*)?["'`]?([A-Z][A-Z0-9_]+)\b/

/** Finds the name of a variable that a program has missed, as the end of its log says. */
export function missedVariableIn(logLines: readonly string[]): string | undefined {
  return logLines.flatMap((_line, index) => nameAt(logLines, index) ?? []).at(-1)
}

function nameAt(lines: readonly string[], index: number): string | undefined {
  const line = lines[index] ?? ''
  const before = lines[index - 1] ?? ''
  const [, key] = KEY_ERROR.exec(line) ?? []
  if (key !== undefined) return key
  if (TITLE.test(before)) return LISTED.exec(line)?.[1]
  if (/field required/i.test(line) && lines.slice(0, index).some((each) => SETTINGS.test(each)))
    return FIELD.exec(before)?.[1]?.toUpperCase()
  if (!ABOUT_VARIABLES.test(line) || !NOT_SET.test(line)) return undefined
  return EXPECTED.exec(line)?.[1] ?? NAME.exec(line)?.[0]
}
