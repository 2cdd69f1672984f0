import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

import { createClient, type ClickHouseClient } from '@clickhouse/client'

import type { TraceStoreConfig } from '../config.ts'
import type { Engine, Query, QueryParameters } from './engine.ts'
import { createReaderQueue } from './reader-queue.ts'
import { TransferFile } from './transfer-file.ts'
import {
  insertStatement,
  NEVER_LOG,
  querySettings,
  runCommand,
  selectRows,
} from './clickhouse-commands.ts'

/**
 * The type that the client accepts instead of a server's address. chdb declares the same type from
 * another package.
 */
type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/** The memory of one query, as a share of the engine's memory. */
const QUERY_SHARE = 2 / 3
/** Concurrent readers. Each uses several processors if there are any. */
const READERS = 2
/** Threads that the engine keeps for its next statements. */
const IDLE_THREADS = 16
/** The nice value of threads that merge files, because inserts and queries are more urgent. */
const MERGE_NICE = 5
const KILL_AGAIN_MS = 50

/**
 * Opens ClickHouse inside this process. Each of its connections runs one statement at a time, so
 * reading, writing and the rest have separate ones: a slow query never delays an insert. A query
 * keeps its connection until it has ended in the engine, even if its caller has cancelled it.
 * Callers that cancel while waiting for a connection leave the queue.
 */
export async function openEmbedded({
  dataDirectory: path,
  memoryBytes,
}: Extract<TraceStoreConfig, { kind: 'embedded' }>): Promise<Engine> {
  await mkdir(path, { recursive: true })
  // Imported only when used, because it loads half a gigabyte.
  const { createChdbConnection } = await import('chdb/connection')
  const { drainPending, Session } = await import('chdb')
  // The first connection to the directory sets the limits, which only a Session can do.
  const session = new Session(path, { connectionArgs: engineArguments(memoryBytes) })
  const maxQueryBytes = Math.floor(memoryBytes * QUERY_SHARE)
  const clientOf = (connection: ReturnType<typeof createChdbConnection>) =>
    createClient({ connection: connection as unknown as Connection, log: NEVER_LOG })
  const open = () => clientOf(createChdbConnection({ path }))
  const connections = Array.from({ length: READERS }, open)
  const free = [...connections]
  const readers = createReaderQueue(READERS)
  const writer = open()
  const inserted = await TransferFile.create(path)
  const control = open()

  /** Runs a query to its end. An abort doesn't end it in this engine, so it is killed by its id. */
  async function runToEnd(
    reader: ClickHouseClient,
    sql: string,
    parameters: QueryParameters,
    signal: AbortSignal,
  ) {
    const id = randomUUID()
    let isOver = false
    const kill = async () => {
      // Repeated, because the engine may not yet know a query that has just begun.
      for (; !isOver; await delay(KILL_AGAIN_MS)) {
        const statement = `KILL QUERY WHERE Settings['log_comment'] = '${id}' ASYNC`
        await runCommand(control, statement).catch(() => {})
      }
    }
    const onAbort = () => void kill()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await selectRows(reader, `${sql}, log_comment = '${id}'`, parameters)
    } finally {
      isOver = true
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Returns the function that queries one connection. */
  function queryOn(reader: ClickHouseClient): Query {
    return async (sql, parameters, { timeoutMs, signal }) => {
      signal.throwIfAborted()
      const withSettings = `${sql}\n${querySettings(timeoutMs, maxQueryBytes)}`
      return await runToEnd(reader, withSettings, parameters, signal)
    }
  }

  /** Runs work with a connection that nothing else uses meanwhile. */
  const read: Engine['read'] = async (owner, signal, work) => {
    using _turn = await readers.wait(owner, { signal })
    const reader = free.pop()
    if (reader === undefined) throw new Error('there are fewer connections than readers')
    try {
      return await work(queryOn(reader))
    } finally {
      free.push(reader)
    }
  }

  /** The blocks are in a file, because a statement ends at two line breaks, also in binary data. */
  const insert: Engine['insert'] = async (table, columns, blocks) => {
    await inserted.pass(blocks, (file) => runCommand(writer, insertStatement(table, columns, file)))
  }

  return {
    command: (statement) => runCommand(control, statement),
    insert,
    read,
    async query(sql, parameters, { timeoutMs, signal }) {
      const deadline = performance.now() + timeoutMs
      return await read({ user: '' }, signal, (query) =>
        query(sql, parameters, { timeoutMs: deadline - performance.now(), signal }),
      )
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...connections, writer, control].map((client) => client.close()))
      session.close()
      await inserted[Symbol.asyncDispose]()
      await drainPending()
    },
  }
}

/**
 * By default the engine takes nine tenths of the machine's memory, its caches grow to gigabytes,
 * and it keeps up to 1,000 idle threads with three open files each. Queries and inserts beyond the
 * limits of memory fail, and can be retried.
 */
function engineArguments(memoryBytes: number): string[] {
  const share = (part: number) => Math.floor(memoryBytes / part)
  return [
    `--max_server_memory_usage=${memoryBytes}`,
    `--merges_mutations_memory_usage_soft_limit=${share(2)}`,
    `--mark_cache_size=${share(16)}`,
    `--primary_index_cache_size=${share(16)}`,
    `--query_condition_cache_size=${share(32)}`,
    `--max_thread_pool_free_size=${IDLE_THREADS}`,
    `--os_threads_nice_value_merge_mutate=${MERGE_NICE}`,
  ]
}
