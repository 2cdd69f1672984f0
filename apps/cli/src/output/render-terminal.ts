import type { Block, Cell, Column, Fields, Lines, Table } from './blocks.ts'
import { cleanLine } from './clean.ts'
import { paint, type Style } from './style.ts'
import { shorten, widthOf } from './width.ts'

const GAP = 2
const ELLIPSIS_ONLY = 1

/** A terminal's properties. */
export interface Screen {
  readonly columns: number
  readonly color: boolean
}

/** Renders a block for people. Returns lines, without the last newline. */
export function renderForTerminal(block: Exclude<Block, { kind: 'hint' }>, screen: Screen): string {
  switch (block.kind) {
    case 'table':
      return tableText(block, screen)
    case 'fields':
      return fieldsText(block, screen)
    case 'lines':
      return linesText(block, screen)
  }
}

function tableText(whole: Table, screen: Screen): string {
  const { columns, rows, empty } = fitting(whole, screen)
  if (rows.length === 0) return styled(empty, 'faint', screen)
  const texts = rows.map((row) => row.map((cell) => cleanLine(textOf(cell))))
  const widths = columnWidths(columns, texts, screen.columns)
  if (totalOf(widths) > screen.columns) return stackedText({ ...whole, columns, rows }, screen)
  const line = (cells: readonly string[], styleOf: (index: number) => Style | undefined) =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0
        const text = shorten(cell, width)
        const padding = ' '.repeat(Math.max(0, width - widthOf(text)))
        const shown = styled(text, styleOf(index), screen)
        return columns[index]?.align === 'right' ? padding + shown : shown + padding
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const head = line(
    columns.map(({ title }) => title),
    () => 'faint',
  )
  return [head, ...texts.map((row, at) => line(row, (index) => styleOf(rows[at]?.[index])))].join(
    '\n',
  )
}

/** Without the columns that the terminal has no room for. */
function fitting(table: Table, screen: Screen): Table {
  const isShown = table.columns.map(({ fromColumns = 0 }) => screen.columns >= fromColumns)
  if (!isShown.includes(false)) return table
  const shown = <Item>(items: readonly Item[]) => items.filter((_, index) => isShown[index])
  return { ...table, columns: shown(table.columns), rows: table.rows.map(shown) }
}

/** The widest cell of each column; the widest columns that may shrink do until all fit. */
function columnWidths(
  columns: readonly Column[],
  texts: readonly (readonly string[])[],
  available: number,
): number[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[index] ?? ''))),
  )
  for (let excess = totalOf(widths) - available; excess > 0; excess -= 1) {
    const widest = columns
      .map(({ shrinkTo }, index) => ({
        index,
        room: (widths[index] ?? 0) - (shrinkTo ?? Infinity),
      }))
      .filter(({ room }) => room > 0)
      .sort((a, b) => (widths[b.index] ?? 0) - (widths[a.index] ?? 0))[0]
    if (widest === undefined) break
    widths[widest.index] = Math.max(ELLIPSIS_ONLY, (widths[widest.index] ?? 0) - 1)
  }
  return widths
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP)
}

/** A row below the other, each with its values one a line: for a terminal without enough room. */
function stackedText({ columns, rows }: Table, screen: Screen): string {
  return rows
    .map((row) => {
      const named = row.map((cell, index) => [columns[index]?.title ?? '', cell] as const)
      const filled = named.filter(([, cell]) => textOf(cell) !== '')
      return fieldsText({ kind: 'fields', fields: filled }, screen)
    })
    .join('\n\n')
}

function fieldsText({ fields }: Fields, screen: Screen): string {
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)))
  return fields
    .map(([name, value]) => {
      const title = styled(name.padEnd(width), 'faint', screen)
      return `${title}${' '.repeat(GAP)}${cellText(value, screen)}`
    })
    .join('\n')
}

function linesText(block: Lines, screen: Screen): string {
  return block.lines
    .map((line) => (isCell(line) ? [line] : line).map((cell) => cellText(cell, screen)).join(''))
    .join('\n')
}

function isCell(line: Lines['lines'][number]): line is Cell {
  return !Array.isArray(line)
}

function cellText(cell: Cell, screen: Screen): string {
  return styled(cleanLine(textOf(cell)), styleOf(cell), screen)
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}

function styleOf(cell: Cell | undefined): Style | undefined {
  return typeof cell === 'object' ? cell.style : undefined
}

function styled(text: string, style: Style | undefined, { color }: Screen): string {
  return color && style !== undefined && text !== '' ? paint(style, text) : text
}
