import type { Block, Cell, Table } from './blocks.ts'

/**
 * Renders a block for a pipe: a row or field a line, with tabs between values, without colors or
 * shortened text. Returns lines, without the last newline.
 */
export function renderPlain(block: Exclude<Block, { kind: 'hint' }>): string {
  switch (block.kind) {
    case 'table':
      return rowsOf(block)
        .map((row) => row.map(value).join('\t'))
        .join('\n')
    case 'fields':
      return block.fields.map(([name, cell]) => `${name}\t${value(cell)}`).join('\n')
    case 'lines':
      return block.lines
        .map((line) => (Array.isArray(line) ? line.map(plain).join('') : plain(line as Cell)))
        .join('\n')
  }
}

/** The rows of a table below its titles. One without rows is empty. */
function rowsOf({ columns, rows }: Table): Table['rows'] {
  const hasTitles = rows.length > 0 && columns.length > 0
  return hasTitles ? [columns.map(({ title, plain: inPipe }) => inPipe ?? title), ...rows] : rows
}

/** A value has neither tabs nor newlines. */
function value(cell: Cell): string {
  return plain(cell).replaceAll(/[\t\r\n]+/g, ' ')
}

function plain(cell: Cell): string {
  return typeof cell === 'string' ? cell : (cell.plain ?? cell.text)
}
