import type { Style } from './style.ts'

/** A piece of text, and how it looks on a terminal. */
export interface Text {
  readonly text: string
  readonly style?: Style | undefined
  /** What a program reads where it differs, for example an exact time for `2 h ago`. */
  readonly plain?: string | undefined
}

/** A cell of a table, or a value. */
export type Cell = string | Text

/** A column of a table. */
export interface Column {
  readonly title: string
  /** The title in a pipe, where a terminal needs none. */
  readonly plain?: string
  /** Numbers are aligned to the right. */
  readonly align?: 'left' | 'right'
  /**
   * Columns without it are never shortened. On a narrow terminal, those with it are shortened, down
   * to this many characters.
   */
  readonly shrinkTo?: number
  /** Left out on terminals with fewer columns than this. */
  readonly fromColumns?: number
}

/** Rows with the same columns. A pipe gets a line of titles, unless there are no columns. */
export interface Table {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Shown on a terminal if there are no rows. */
  readonly empty: string
}

/** Named values, one a line. */
export interface Fields {
  readonly kind: 'fields'
  readonly fields: readonly (readonly [name: string, value: Cell])[]
}

/** Lines of text. */
export interface Lines {
  readonly kind: 'lines'
  readonly lines: readonly (Cell | readonly Cell[])[]
}

/** Advice for a person, for example the next command. It is not part of the output. */
export interface Hint {
  readonly kind: 'hint'
  readonly text: string
}

/** What a command shows: a terminal and a pipe get it in different forms. */
export type Block = Table | Fields | Lines | Hint

export function table(options: Omit<Table, 'kind'>): Table {
  return { kind: 'table', ...options }
}

/** Columns with these titles, separated by spaces, for a table that only pipes get. */
export function columnsOf(titles: string): readonly Column[] {
  return titles.split(' ').map((title) => ({ title }))
}

/** Fields without a value are left out. */
export function fields(values: Readonly<Record<string, Cell | undefined>>): Fields {
  const present = Object.entries(values).filter(
    (field): field is [string, Cell] => field[1] !== undefined,
  )
  return { kind: 'fields', fields: present }
}

export function lines(...all: Lines['lines']): Lines {
  return { kind: 'lines', lines: all }
}

export function hint(text: string): Hint {
  return { kind: 'hint', text }
}
