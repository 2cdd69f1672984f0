/** The trimmed, non-empty parts of a comma-separated parameter. */
export function commaSeparated(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
