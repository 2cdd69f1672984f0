import { stripVTControlCharacters } from 'node:util'

// What moves the cursor, changes the terminal's state or reverses the direction of text, without
// tabs and newlines.
const CONTROLS = new RegExp('[\\p{Cc}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]', 'gu')

/**
 * Text of others (log lines, names, messages of servers) for a terminal: without escape sequences
 * and control characters, which could change what the user sees or types. Keeps tabs and newlines.
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, (character) => ('\t\n'.includes(character) ? character : ''))
}

/** JSON with such characters as escapes, so that it means the same and shows nothing else. */
export function cleanJson(json: string): string {
  return json.replaceAll(CONTROLS, (character) =>
    '\t\n'.includes(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Whether a text has characters that {@link cleanJson} escapes. */
export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1
}

/** The same as {@link clean}, on one line. */
export function cleanLine(text: string): string {
  return clean(text).replaceAll(/[\t\n]+/g, ' ')
}
