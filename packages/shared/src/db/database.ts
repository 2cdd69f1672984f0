import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'

import type { Logger } from '../logging/logger.ts'

import { ConnectionPool } from './connection-pool.ts'
import { mapDatabaseError } from './database-error.ts'
import { LockSession } from './lock-session.ts'
import { Notifier } from './notifier.ts'
import { valueTypes } from './value-types.ts'

/** Connection options and limits of a database. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with parameters such as `sslmode`. */
  readonly url: string
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  /** Maximum number of connections; default 10. */
  readonly poolSize?: number
  /** Timeout of a statement; default 10 s, 0 for none. */
  readonly statementTimeoutMs?: number
  /** Timeout for getting a connection; default 5 s. */
  readonly acquireTimeoutMs?: number
  readonly logger?: Logger
}

/**
 * A Kysely handle that owns its connections. Queries that fail because the database is unavailable
 * reject with `Unavailable` (reason `database_unavailable`), so callers need not map that error.
 */
export class Database<Schema> extends Kysely<Schema> {
  readonly #pool: ConnectionPool
  readonly #options: DatabaseOptions
  /** Holds this process's advisory locks; use it through `withAdvisoryLock`. */
  readonly locks: LockSession
  readonly #notifier: Notifier

  constructor(options: DatabaseOptions) {
    const pool = new ConnectionPool({
      client: clientConfig(options),
      size: options.poolSize ?? 10,
      acquireTimeoutMs: options.acquireTimeoutMs ?? 5_000,
      statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
      logger: options.logger,
    })
    super({ dialect: new PostgresDialect({ pool }) })
    this.#pool = pool
    this.#options = options
    this.locks = new LockSession(() => this.openConnection('locks'))
    this.#notifier = new Notifier((channel) => sql`SELECT pg_notify(${channel}, '')`.execute(this))
  }

  /** Rejects with `Unavailable` if the database does not respond. For readiness checks. */
  async ping(): Promise<void> {
    await sql`SELECT 1`.execute(this)
  }

  /**
   * Opens a connection outside the pool, for LISTEN and session locks. The caller must end it.
   */
  async openConnection(purpose: string, overrides: ClientConfig = {}): Promise<Client> {
    const config = clientConfig(this.#options)
    const client = new Client({
      ...config,
      connectionTimeoutMillis: this.#options.acquireTimeoutMs ?? 5_000,
      application_name: `${this.#options.applicationName} ${purpose}`,
      ...overrides,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      throw mapDatabaseError(error)
    }
  }

  /** A second handle on the same database with other limits, e.g. for a long migration. */
  withOptions(changes: Partial<DatabaseOptions>): Database<Schema> {
    return new Database<Schema>({ ...this.#options, ...changes })
  }

  /**
   * Runs the body of a transaction, in which the outer handle throws. For `transaction` only.
   */
  async runTransaction<Result>(body: () => Promise<Result>): Promise<Result> {
    return await this.#pool.runTransaction(body)
  }

  /** Notifies the listeners of a channel soon; see `notifyOnCommit`. */
  notifySoon(channel: string): void {
    this.#notifier.notifySoon(channel)
  }

  override async destroy(): Promise<void> {
    await this.#notifier[Symbol.asyncDispose]()
    await this.locks[Symbol.asyncDispose]()
    await super.destroy()
  }
}

/**
 * Opens a database. It connects when first used, so only `ping` fails if the database is
 * unreachable, not this function.
 */
export function createDatabase<Schema>(options: DatabaseOptions): Database<Schema> {
  return new Database<Schema>(options)
}

/** Where a database is, for messages: host:port or the path of a socket, without credentials. */
export function databaseAddress(url: string): string {
  const { host, port } = new Client({ connectionString: url })
  return host.startsWith('/') ? host : `${host}:${port}`
}

function clientConfig(options: DatabaseOptions): ClientConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    keepAlive: true,
    types: valueTypes,
  }
}
