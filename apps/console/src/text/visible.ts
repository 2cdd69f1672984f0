// Sequences that color or move a terminal's cursor.
// They are short and end in their line: others would hide text, and are shown.
const ESCAPES = new RegExp(
  String.raw`\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]` +
    String.raw`|\][^\u0007\u001B\n]{0,200}(?:\u0007|\u001B\\)|[@-OQ-WYZ\\])`,
  'g',
)
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Text of others as it is: without the colors of terminals, and with control characters and marks
 * that change the direction of text as codes, like `\u202e`.
 */
export function visible(text: string): string {
  return text
    .replaceAll(ESCAPES, '')
    .replaceAll(HIDDEN, (character) =>
      character === '\t' || character === '\n' ? character : codeOf(character),
    )
}

function codeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}
