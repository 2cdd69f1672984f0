import type { CompatibilityMark } from '@slipway/shared/db'

/** A step from the first version of a table to its `create`, which has them all. */
export interface TableMigration extends CompatibilityMark {
  /** Takes effect also when it runs twice: ClickHouse has no transactions. */
  readonly statement?: string
  /** Whether a table has it that was created before tables recorded their migrations. */
  readonly isIn?: (createSql: string) => boolean
}

/** A table of the trace store. */
export interface TableDefinition {
  readonly name: string
  /** What its rows are, in plural. */
  readonly content: string
  /** The file with its columns, for operators who create the table themselves. */
  readonly file: string
  /** The statement that creates it if it is missing. */
  readonly create: string
  /** The columns that this release reads or writes. */
  readonly requiredColumns: readonly string[]
  /** The column with the time from which a row is stored for a number of days. */
  readonly timeColumn: string
  readonly migrations: Readonly<Record<string, TableMigration>>
}
