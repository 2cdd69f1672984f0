import type { Owner } from '@slipway/shared/fair-queue'

/** Values for the `{name:Type}` placeholders of a query. */
export type QueryParameters = Readonly<
  Record<string, string | number | bigint | readonly string[] | readonly number[]>
>

/** Rows in Native format, in one or more blocks with the same columns. */
export type Blocks = readonly Uint8Array<ArrayBuffer>[]

/** An open ClickHouse. Its methods reject with the client's own errors. */
export interface Engine extends AsyncDisposable {
  /** Runs a statement without a result. */
  command(statement: string): Promise<void>
  /** Inserts rows with these columns; resolves when they are on disk. */
  insert(table: string, columns: readonly string[], blocks: Blocks): Promise<void>
  /**
   * Runs work that queries one connection several times in a row. Waits for the connection once,
   * before the work starts. Users and accounts take turns (see FairQueue); rejects with
   * RateLimited or Unavailable when too many calls wait.
   */
  read<Result>(
    owner: Owner,
    signal: AbortSignal,
    work: (query: Query) => Promise<Result>,
  ): Promise<Result>
  /** Runs a single query without an owner. */
  readonly query: Query
}

/**
 * Returns the rows of a query. Cancels the query when `signal` fires or the time limit is reached.
 * The embedded engine settles only after the query has ended.
 */
export type Query = (
  sql: string,
  parameters: QueryParameters,
  limits: { timeoutMs: number; signal: AbortSignal },
) => Promise<unknown[]>
