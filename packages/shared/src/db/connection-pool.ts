import { AsyncLocalStorage } from 'node:async_hooks'

import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Client, DatabaseError, Pool, type ClientConfig } from 'pg'

import { Unavailable } from '../errors.ts'
import type { Logger } from '../logging/logger.ts'
import { mapDatabaseError } from './database-error.ts'

/** The client times out this much later than the server, whose error is more precise. */
const CLIENT_TIMEOUT_MARGIN_MS = 2_000

export interface ConnectionPoolOptions {
  readonly client: ClientConfig
  readonly size: number
  readonly acquireTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly logger: Logger | undefined
}

interface TransactionScope {
  readonly pool: ConnectionPool
  isActive: boolean
}

const transactionScope = new AsyncLocalStorage<TransactionScope>()

/**
 * Connections for Kysely. On top of a pg pool, it guarantees that a lost connection never ends the
 * process, that errors are mapped, and that code inside a transaction can't take a second
 * connection through the outer handle.
 */
export class ConnectionPool implements PostgresPool {
  readonly #pool: Pool
  readonly Client = Client

  constructor(options: ConnectionPoolOptions) {
    this.#pool = new Pool({
      ...options.client,
      max: options.size,
      connectionTimeoutMillis: options.acquireTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      ...(options.statementTimeoutMs > 0 && {
        statement_timeout: options.statementTimeoutMs,
        query_timeout: options.statementTimeoutMs + CLIENT_TIMEOUT_MARGIN_MS,
      }),
    })
    this.#pool.on('error', (error) =>
      options.logger?.warn({ err: error }, 'database_connection_lost'),
    )
    // The pool listens only to idle connections. One that breaks between two queries of a
    // transaction would emit an unhandled 'error' event. The next query reports it.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  get options(): object {
    return this.#pool.options
  }

  async connect(): Promise<PostgresPoolClient> {
    const scope = transactionScope.getStore()
    if (scope?.isActive && scope.pool === this) {
      throw new Error('a query inside transaction() must use the transaction handle')
    }
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw mapDatabaseError(error)
    })
    /** Why the connection is unusable. */
    let failure: Unavailable | undefined
    const query = async <Row>(
      sql: string,
      parameters: readonly unknown[],
    ): Promise<PostgresQueryResult<Row>> => {
      if (failure !== undefined) throw failure
      try {
        const { command, rowCount, rows } = await client.query(sql, [...parameters])
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely knows its query
        return {
          command: command as PostgresQueryResult<Row>['command'],
          rowCount: rowCount ?? 0,
          rows,
        }
      } catch (error) {
        const mapped = mapDatabaseError(error)
        // Without an SQLSTATE the connection itself failed. Its next user must not receive a late
        // response.
        if (mapped instanceof Unavailable && !(error instanceof DatabaseError)) failure = mapped
        throw mapped
      }
    }
    return {
      // The other overload is for cursors, which are not configured.
      query: query as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy || failure !== undefined),
    }
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }

  /**
   * Runs a transaction's body. Until it ends, `connect` throws for everything called from inside
   * it.
   */
  async runTransaction<Result>(body: () => Promise<Result>): Promise<Result> {
    const scope = { pool: this, isActive: true }
    try {
      return await transactionScope.run(scope, body)
    } finally {
      scope.isActive = false
    }
  }
}
