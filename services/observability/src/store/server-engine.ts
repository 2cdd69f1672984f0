import { createClient } from '@clickhouse/client'

import type { Engine, Query } from './engine.ts'
import { createReaderQueue } from './reader-queue.ts'
import {
  insertBlocks,
  NEVER_LOG,
  querySettings,
  runCommand,
  selectRows,
} from './clickhouse-commands.ts'

/** How long a server may take to respond to any request. Queries have their own, shorter limit. */
const REQUEST_TIMEOUT_MS = 10_000
/** The memory of one query. A GROUP BY that needs more than half of it spills to disk. */
const MAX_QUERY_BYTES = 2 * 1024 * 1024 * 1024
/** Concurrent readers. The client opens ten connections, which leaves two for inserts. */
const READERS = 8

/** Connects to a ClickHouse server. `trustedCa` is in PEM; default: the authorities of Node. */
export function openServer(url: string, trustedCa?: string): Engine {
  const client = createClient({
    url,
    ...(trustedCa !== undefined && { tls: { ca_cert: Buffer.from(trustedCa) } }),
    application: 'slipway-observability',
    request_timeout: REQUEST_TIMEOUT_MS,
    compression: { request: true, response: false },
    // A caller that cancels closes its connection, which ends the query.
    clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
    log: NEVER_LOG,
  })
  const query: Query = (sql, parameters, { timeoutMs, signal }) =>
    selectRows(client, `${sql}\n${querySettings(timeoutMs, MAX_QUERY_BYTES)}`, parameters, signal)
  const readers = createReaderQueue(READERS)
  return {
    command: (statement) => runCommand(client, statement),
    insert: (table, columns, blocks) => insertBlocks(client, { table, columns, blocks }),
    async read(owner, signal, work) {
      using _turn = await readers.wait(owner, { signal })
      return await work(query)
    },
    query,
    [Symbol.asyncDispose]: () => client.close(),
  }
}
