/** A row of a table: Markdown for each column. */
export type Row = readonly string[]

/** Returns a Markdown table. */
export function table(columns: Row, rows: readonly Row[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

/** Returns a text as code. */
export function code(text: string): string {
  return `\`${text}\``
}

/** Returns texts as code, separated by commas; a dash if there are none. */
export function codes(texts: readonly string[]): string {
  return texts.length === 0 ? '–' : texts.map(code).join(', ')
}

function escapeCell(text: string): string {
  return text.replaceAll(/[|<]/g, String.raw`\$&`)
}
