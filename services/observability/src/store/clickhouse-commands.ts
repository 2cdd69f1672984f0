import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client'

import type { Blocks, QueryParameters } from './engine.ts'

/** The log option of clients. It is off because callers log the errors. */
export const NEVER_LOG = { level: ClickHouseLogLevel.OFF }

/**
 * Returns the SETTINGS clause of a query with its limits. Settings are part of the query because
 * the embedded engine would keep those sent separately for later queries.
 */
export function querySettings(timeoutMs: number, maxBytes: number): string {
  const settings = [
    `max_execution_time = ${(Math.max(1, timeoutMs) / 1000).toFixed(3)}`,
    `timeout_overflow_mode = 'throw'`,
    // An index lookup for each row of a subquery takes several times longer than a scan.
    'use_index_for_in_with_subqueries = 0',
    // Compiling an expression takes as long as a third of a query. It is never worthwhile for
    // expressions with the account, agent and times of one query; expressions that all queries
    // share are compiled later.
    'min_count_to_compile_expression = 100',
    // Numbers of 64 bits don't fit into those of JavaScript.
    'output_format_json_quote_64bit_integers = 1',
    `max_memory_usage = ${maxBytes}`,
    `max_bytes_before_external_group_by = ${Math.floor(maxBytes / 2)}`,
  ]
  return `SETTINGS ${settings.join(', ')}`
}

/** Runs a statement without a result. */
export async function runCommand(client: ClickHouseClient, statement: string): Promise<void> {
  await client.command({ query: statement })
}

const INSERT_SETTINGS = [
  // The spans of one insert may belong to as many weekly partitions as the retention period covers.
  'max_partitions_per_insert_block = 0',
  // Inserts of a few thousand rows take less processor time without it. Queries count copies of a
  // span once in any case.
  'optimize_on_insert = 0',
  // The rows of several senders are already combined.
  'async_insert = 0',
  // The default, unless an operator has changed it: a table may have other types.
  'input_format_native_allow_types_conversion = 1',
].join(', ')

/** Returns the statement that inserts blocks which follow it, or are in a file. */
export function insertStatement(table: string, columns: readonly string[], file?: string): string {
  const source = file === undefined ? '' : `FROM INFILE '${file}'`
  return `
    INSERT INTO ${table} (${columns.join(', ')}) ${source}
    SETTINGS ${INSERT_SETTINGS}
    FORMAT Native`
}

/** Inserts blocks in Native format. */
export async function insertBlocks(
  client: ClickHouseClient,
  { table, columns, blocks }: { table: string; columns: readonly string[]; blocks: Blocks },
): Promise<void> {
  // `client.insert` doesn't accept this format.
  const { stream } = await client.exec({
    query: insertStatement(table, columns),
    values: Readable.from(blocks, { objectMode: false }),
  })
  // The response is empty, but its connection is in use until it has been read.
  await buffer(stream)
}

/** Returns the rows of a query, parsed from JSON. */
export async function selectRows(
  client: ClickHouseClient,
  query: string,
  parameters: QueryParameters,
  signal?: AbortSignal,
): Promise<unknown[]> {
  signal?.throwIfAborted()
  const result = await client.query({
    query,
    query_params: parameters,
    format: 'JSONEachRow',
    ...(signal === undefined ? {} : { abort_signal: signal }),
  })
  return await result.json()
}
