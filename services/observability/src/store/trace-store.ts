import { ClickHouseError } from '@clickhouse/client'
import { SchemaMismatch } from '@slipway/shared/db'
import { Unavailable } from '@slipway/shared/errors'
import type { Owner } from '@slipway/shared/fair-queue'
import type { Logger } from '@slipway/shared/logger'
import type { TrustedCa } from '@slipway/shared/rpc'
import { orAbort } from '@slipway/shared/waiting'

import type { TraceStoreConfig } from '../config.ts'
import type { Blocks, Engine, QueryParameters } from './engine.ts'
import { LOG_COLUMNS } from './log-rows.ts'
import { LOGS_TABLE } from './logs-table.ts'
import type { openEngine } from './open-engine.ts'
import { SPAN_COLUMNS } from './span-rows.ts'
import { SPANS_TABLE } from './spans-table.ts'

/** The delay after which senders and callers should retry. */
const RETRY_AFTER_MS = 5_000
/**
 * After a failed attempt to open the store, callers are rejected for this long without another
 * attempt.
 */
const REOPEN_PAUSE_MS = 1_000
/** ClickHouse's error code. */
const UNKNOWN_TABLE = '60'

/** The limits of a call's queries. */
export interface QueryLimits {
  /** The deadline, in milliseconds since 1970. */
  readonly deadlineMs: number
  /** Fires when the caller has cancelled the call. */
  readonly signal: AbortSignal
}

export interface TraceStoreOptions {
  /**
   * Migrates the tables, or checks that they are migrated. Runs each time ClickHouse is opened.
   */
  readonly prepare: (engine: Engine) => Promise<void>
  readonly logger: Logger
  /** The authorities of a server's certificate; default: those of Node. */
  readonly trustedCa?: TrustedCa | undefined
  readonly openEngine: typeof openEngine
}

/** Runs the queries of one call. */
export interface TraceReader {
  /** Returns the rows of a query, parsed from JSON. */
  query(sql: string, parameters: QueryParameters): Promise<unknown[]>
}

/**
 * The spans and log records in ClickHouse. Opens it in the background, and again after a failure.
 * Its methods reject with Unavailable on any failure of ClickHouse.
 */
export class TraceStore implements AsyncDisposable {
  readonly #config: TraceStoreConfig
  readonly #options: TraceStoreOptions
  #opening: Promise<Engine> | undefined
  readonly #firstAttempt: Promise<unknown>
  #mismatch: SchemaMismatch | undefined

  constructor(config: TraceStoreConfig, options: TraceStoreOptions) {
    this.#config = config
    this.#options = options
    if (config.kind === 'none') options.logger.warn('trace_store_disabled')
    this.#firstAttempt = this.#engine().catch(() => {})
  }

  /**
   * Rejects while the tables are not those of this release. Doesn't reject while ClickHouse is
   * unreachable: callers get a better answer from this process than from none.
   */
  async checkSchema(): Promise<void> {
    await this.#firstAttempt
    if (this.#mismatch === undefined) return
    await this.#engine().catch((error: unknown) => {
      throw this.#mismatch ?? error
    })
  }

  /** Stores blocks from `spanBlock`; resolves when they are on disk. */
  async insertSpans(blocks: Blocks): Promise<void> {
    await this.#insert(SPANS_TABLE, SPAN_COLUMNS, blocks)
  }

  /** Stores blocks from `logBlock`; resolves when they are on disk. */
  async insertLogs(blocks: Blocks): Promise<void> {
    await this.#insert(LOGS_TABLE, LOG_COLUMNS, blocks)
  }

  async #insert(table: string, columns: readonly string[], blocks: Blocks): Promise<void> {
    const engine = await this.#engine()
    const opened = this.#opening
    try {
      await engine.insert(table, columns, blocks)
    } catch (error) {
      this.#reopenIfEmpty(opened, error)
      throw unavailable(error)
    }
  }

  /**
   * Runs work that reads for a user and an account, which take turns (see FairQueue). Rejects with
   * Unavailable at the deadline, and with the signal's reason when it fires.
   */
  async read<Result>(
    owner: Owner,
    { deadlineMs, signal }: QueryLimits,
    work: (reader: TraceReader) => Promise<Result>,
  ): Promise<Result> {
    const timeoutMs = deadlineMs - Date.now()
    if (timeoutMs <= 0) throw tooSlow()
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      const engine = await orAbort(this.#engine(), limit)
      const opened = this.#opening
      const reading = engine.read(owner, limit, async (query) => {
        const run = async (sql: string, parameters: QueryParameters) => {
          try {
            return await query(sql, parameters, {
              timeoutMs: deadlineMs - Date.now(),
              signal: limit,
            })
          } catch (error) {
            if (limit.aborted) throw error
            this.#reopenIfEmpty(opened, error)
            throw unavailable(error)
          }
        }
        return await work({ query: run })
      })
      return await orAbort(reading, limit)
    } catch (error) {
      signal.throwIfAborted()
      throw limit.aborted && !(error instanceof Unavailable) ? tooSlow(error) : error
    }
  }

  /** Runs work that no caller waits for. Rejects with the engine's errors. */
  async maintain<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
    return await work(await this.#engine())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const engine = await this.#opening?.catch(() => undefined)
    await engine?.[Symbol.asyncDispose]()
  }

  async #engine(): Promise<Engine> {
    if (this.#config.kind === 'none') throw disabled()
    this.#opening ??= this.#open(this.#config)
    return await this.#opening
  }

  /** Opens the store again, to prepare the table, when a server has lost it with its disk. */
  #reopenIfEmpty(opened: Promise<Engine> | undefined, error: unknown): void {
    const isEmpty = error instanceof ClickHouseError && error.code === UNKNOWN_TABLE
    if (!isEmpty || opened === undefined || opened !== this.#opening) return
    this.#opening = undefined
    opened.then((engine) => engine[Symbol.asyncDispose]()).catch(() => {})
  }

  async #open(config: Exclude<TraceStoreConfig, { kind: 'none' }>): Promise<Engine> {
    const { openEngine, trustedCa, prepare, logger } = this.#options
    try {
      const engine = await openEngine(config, trustedCa)
      try {
        await prepare(engine)
      } catch (error) {
        await engine[Symbol.asyncDispose]()
        throw error
      }
      this.#mismatch = undefined
      logger.info({ kind: config.kind }, 'trace_store_ready')
      return engine
    } catch (error) {
      this.#mismatch = error instanceof SchemaMismatch ? error : undefined
      logger.warn({ err: error }, 'trace_store_unavailable')
      setTimeout(() => {
        this.#opening = undefined
      }, REOPEN_PAUSE_MS).unref()
      throw unavailable(error)
    }
  }
}

function disabled(): Unavailable {
  return new Unavailable('trace_store_disabled', 'observability is not configured on this platform')
}

function unavailable(cause: unknown): Unavailable {
  const message = 'the observability backend is unavailable; retry later'
  return new Unavailable('trace_store_unavailable', message, {
    cause,
    retryAfterMs: RETRY_AFTER_MS,
  })
}

function tooSlow(cause?: unknown): Unavailable {
  const message = 'the observability backend did not respond in time; retry later'
  return new Unavailable('trace_store_slow', message, { cause, retryAfterMs: RETRY_AFTER_MS })
}
