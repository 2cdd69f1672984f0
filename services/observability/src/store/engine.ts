import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'

import type { TraceStoreConfig } from '../config.ts'
import { FairPool } from './fair-pool.ts'

/**
 * What the client takes instead of a server; chdb declares the same shape by another package's
 * types.
 */
type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

type EmbeddedConfig = Extract<TraceStoreConfig, { kind: 'embedded' }>

/** How long a server may take to answer anything at all; queries have their own, shorter limit. */
const REQUEST_TIMEOUT_MS = 10_000
/**
 * A query that needs more of a server fails; one that groups more than half of it goes on by the
 * disk.
 */
const MAX_QUERY_BYTES = 2 * 1024 * 1024 * 1024
/** The same of the embedded engine, as a share of all its memory. */
const QUERY_SHARE = 2 / 3
/**
 * Queries that the embedded engine answers at the same time; each uses several processors where
 * there are.
 */
const READERS = 2
/**
 * Calls that ask a server at the same time; the client opens ten connections, and those that store
 * come first.
 */
const SERVER_READERS = 8
/** Calls that may wait for one of these. */
const QUEUE = { perOwner: 32, total: 256 }
const KILL_AGAIN_MS = 50
const NEVER_LOG = { level: ClickHouseLogLevel.OFF }

/** Values for the `{name:Type}` places of a query. */
export type QueryParameters = Readonly<
  Record<string, string | number | bigint | readonly string[] | readonly number[]>
>

/** A ClickHouse that is open. Its methods reject with the client's own errors. */
export interface Engine extends AsyncDisposable {
  /** Runs a statement that gives no rows. */
  command(statement: string): Promise<void>
  /** Inserts rows that are written as TabSeparated. */
  insert(table: string, columns: readonly [string, ...string[]], rows: string): Promise<void>
  /**
   * Does work that asks several queries, one after the other, in one turn: once it has begun it
   * waits for nobody. FairPool go round between owners; when too many wait, it rejects at once with
   * RateLimited or Unavailable.
   */
  read<Result>(
    owner: string,
    signal: AbortSignal,
    work: (query: Query) => Promise<Result>,
  ): Promise<Result>
  /** One query in a turn of its own. */
  readonly query: Query
}

/**
 * Gives the rows of a query. It is cancelled in the engine when `signal` fires or the time is over;
 * the embedded one answers only once it has ended there.
 */
export type Query = (
  sql: string,
  parameters: QueryParameters,
  limits: { timeoutMs: number; signal: AbortSignal },
) => Promise<unknown[]>

/**
 * Opens ClickHouse: a server, or the same engine inside this process, by the same client and with
 * the same SQL.
 */
export async function openEngine(
  config: Exclude<TraceStoreConfig, { kind: 'none' }>,
): Promise<Engine> {
  return config.kind === 'server' ? openServer(config.url) : await openEmbedded(config)
}

function openServer(url: string): Engine {
  const client = createClient({
    url,
    application: 'slipway-observability',
    request_timeout: REQUEST_TIMEOUT_MS,
    compression: { request: true, response: false },
    // A caller that gives up closes its connection, and that ends the query.
    clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
    log: NEVER_LOG,
  })
  const query: Query = (sql, parameters, { timeoutMs, signal }) =>
    select(client, `${sql}\n${querySettings(timeoutMs, MAX_QUERY_BYTES)}`, parameters, signal)
  const turns = new FairPool(
    Array.from({ length: SERVER_READERS }, () => query),
    QUEUE,
  )
  return {
    command: (statement) => command(client, statement),
    insert: (table, columns, rows) => insert(client, table, columns, rows),
    read: (owner, signal, work) => turns.use(owner, signal, work),
    query,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/**
 * A connection of the embedded engine does one thing at a time, so reading, writing and the rest
 * have their own, and a slow query holds nothing back that is being stored. A query holds its
 * connection until it has ended in the engine: who gives up meanwhile leaves the queue, so what
 * nobody waits for is never begun.
 */
async function openEmbedded({ dataDirectory: path, memoryBytes }: EmbeddedConfig): Promise<Engine> {
  await mkdir(path, { recursive: true })
  // Half a gigabyte of engine is loaded only where it is used.
  const { createChdbConnection } = await import('chdb/connection')
  const { drainPending, Session } = await import('chdb')
  // The first that opens the directory decides for all, and only this one can say how.
  const first = new Session(path, { connectionArgs: memoryArguments(memoryBytes) })
  const maxQueryBytes = Math.floor(memoryBytes * QUERY_SHARE)
  const open = () =>
    createClient({
      connection: createChdbConnection({ path }) as unknown as Connection,
      log: NEVER_LOG,
    })
  const readers = Array.from({ length: READERS }, open)
  const turns = new FairPool(readers, QUEUE)
  const writer = open()
  const control = open()

  /**
   * Runs a query to its end. Giving up on it doesn't end it in this engine, so that is asked for by
   * name.
   */
  async function runToEnd(
    sql: string,
    parameters: QueryParameters,
    signal: AbortSignal,
    reader: ClickHouseClient,
  ) {
    const id = randomUUID()
    let isOver = false
    const kill = async () => {
      // One that has only just begun may not be known by its name yet.
      for (; !isOver; await delay(KILL_AGAIN_MS)) {
        await control
          .command({ query: `KILL QUERY WHERE Settings['log_comment'] = '${id}' ASYNC` })
          .catch(() => {})
      }
    }
    const onAbort = () => void kill()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await select(reader, `${sql}, log_comment = '${id}'`, parameters)
    } finally {
      isOver = true
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** The queries of one turn. */
  function queryOf(reader: ClickHouseClient): Query {
    return async (sql, parameters, { timeoutMs, signal }) => {
      signal.throwIfAborted()
      return await runToEnd(
        `${sql}\n${querySettings(timeoutMs, maxQueryBytes)}`,
        parameters,
        signal,
        reader,
      )
    }
  }

  return {
    command: (statement) => command(control, statement),
    insert: (table, columns, rows) => insert(writer, table, columns, rows),
    read: (owner, signal, work) => turns.use(owner, signal, (reader) => work(queryOf(reader))),
    async query(sql, parameters, { timeoutMs, signal }) {
      const deadline = performance.now() + timeoutMs
      return await turns.use('', signal, (reader) =>
        queryOf(reader)(sql, parameters, { timeoutMs: deadline - performance.now(), signal }),
      )
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...readers, writer, control].map((client) => client.close()))
      first.close()
      await drainPending()
    },
  }
}

/**
 * The embedded engine would take nine tenths of the machine and let its caches grow to gigabytes.
 * What would go beyond its limit fails: queries and inserts are then refused, and can be sent
 * again.
 */
function memoryArguments(memoryBytes: number): string[] {
  const share = (part: number) => Math.floor(memoryBytes / part)
  return [
    `--max_server_memory_usage=${memoryBytes}`,
    `--merges_mutations_memory_usage_soft_limit=${share(2)}`,
    `--mark_cache_size=${share(16)}`,
    `--primary_index_cache_size=${share(16)}`,
    `--query_condition_cache_size=${share(32)}`,
  ]
}

/**
 * Settings stand in the query itself: the embedded engine would keep those that are sent beside it.
 * An index lookup for every element of a subquery's answer, as is the default, takes several times
 * longer than looking through the rows. Compiling an expression takes as long as a third of a
 * query, and is in vain for those that hold the account, the agent and the times of one question,
 * so by default the fourth time that something is asked takes longest. Those that all questions
 * share are compiled a little later than usual.
 */
function querySettings(timeoutMs: number, maxBytes: number): string {
  const settings = [
    `max_execution_time = ${(Math.max(1, timeoutMs) / 1000).toFixed(3)}`,
    `timeout_overflow_mode = 'throw'`,
    'use_index_for_in_with_subqueries = 0',
    'min_count_to_compile_expression = 100',
    `max_memory_usage = ${maxBytes}`,
    `max_bytes_before_external_group_by = ${Math.floor(maxBytes / 2)}`,
  ]
  return `SETTINGS ${settings.join(', ')}`
}

async function command(client: ClickHouseClient, statement: string): Promise<void> {
  await client.command({ query: statement })
}

async function insert(
  client: ClickHouseClient,
  table: string,
  columns: readonly [string, ...string[]],
  rows: string,
): Promise<void> {
  const values = Readable.from([Buffer.from(rows)], { objectMode: false })
  await client.insert({
    table,
    columns: [...columns],
    values,
    format: 'TabSeparated',
    // Spans of one insert may lie in as many weeks as traces are kept.
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
}

async function select(
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
