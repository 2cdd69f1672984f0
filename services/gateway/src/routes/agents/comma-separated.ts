/** The non-empty parts of a comma-separated parameter, without the blanks around them. */
export function commaSeparated(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
