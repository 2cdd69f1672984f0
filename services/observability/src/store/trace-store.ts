import { ClickHouseError } from '@clickhouse/client'
import { Unavailable } from '@slipway/shared/errors'
import type { Logger } from '@slipway/shared/logger'
import { orAbort } from '@slipway/shared/waiting'

import type { TraceStoreConfig } from '../config.ts'
import type { Engine, openEngine, QueryParameters } from './engine.ts'
import { SPAN_COLUMNS } from './span-rows.ts'
import { prepareSpansTable, SPANS_TABLE } from './spans-table.ts'

/** Senders and callers are asked to come back after this time. */
const RETRY_AFTER_MS = 5_000
/**
 * After a failed attempt to open the store, further callers are refused for this long without
 * another.
 */
const REOPEN_PAUSE_MS = 1_000
/** ClickHouse's number of the error. */
const UNKNOWN_TABLE = '60'

/** How long a query may take. */
export interface QueryLimits {
  /** When the time is over, as `Date.now()` counts. */
  readonly deadline: number
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What a TraceStore needs besides its configuration. */
export interface TraceStoreOptions {
  readonly retentionDays: number
  readonly logger: Logger
  readonly openEngine: typeof openEngine
}

/** What answers the queries of one call. */
export interface TraceReader {
  /** The rows of a query, as the engine writes them in JSON. */
  query(sql: string, parameters: QueryParameters): Promise<unknown[]>
}

/**
 * The spans in ClickHouse. Opened in the background and again when it was not there; whatever is
 * wrong with it, its methods reject with Unavailable.
 */
export class TraceStore implements AsyncDisposable {
  readonly #config: TraceStoreConfig
  readonly #options: TraceStoreOptions
  #opening: Promise<Engine> | undefined

  constructor(config: TraceStoreConfig, options: TraceStoreOptions) {
    this.#config = config
    this.#options = options
    if (config.kind === 'none') options.logger.warn('trace_store_disabled')
    else this.#engine().catch(() => {})
  }

  /** Stores rows made by `writeSpanRows`; when it resolves they are on the disk. */
  async insertSpans(rows: string): Promise<void> {
    const engine = await this.#engine()
    const opened = this.#opening
    try {
      await engine.insert(SPANS_TABLE, SPAN_COLUMNS, rows)
    } catch (error) {
      this.#reopenIfEmpty(opened, error)
      throw unavailable(error)
    }
  }

  /**
   * Does work that asks queries on behalf of an account, in one turn. Accounts take turns: see
   * `FairPool`.
   */
  async read<Result>(
    accountId: string,
    { deadline, signal }: QueryLimits,
    work: (reader: TraceReader) => Promise<Result>,
  ): Promise<Result> {
    const timeoutMs = deadline - Date.now()
    if (timeoutMs <= 0) throw tooSlow()
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      const engine = await orAbort(this.#engine(), limit)
      const opened = this.#opening
      const reading = engine.read(accountId, limit, async (query) => {
        const ask = async (sql: string, parameters: QueryParameters) => {
          try {
            return await query(sql, parameters, { timeoutMs: deadline - Date.now(), signal: limit })
          } catch (error) {
            if (limit.aborted) throw error
            this.#reopenIfEmpty(opened, error)
            throw unavailable(error)
          }
        }
        return await work({ query: ask })
      })
      return await orAbort(reading, limit)
    } catch (error) {
      signal.throwIfAborted()
      throw limit.aborted && !(error instanceof Unavailable) ? tooSlow(error) : error
    }
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

  /** A server whose disk was replaced has no table any more: the next caller makes it again. */
  #reopenIfEmpty(opened: Promise<Engine> | undefined, error: unknown): void {
    const isEmpty = error instanceof ClickHouseError && error.code === UNKNOWN_TABLE
    if (!isEmpty || opened === undefined || opened !== this.#opening) return
    this.#opening = undefined
    opened.then((engine) => engine[Symbol.asyncDispose]()).catch(() => {})
  }

  async #open(config: Exclude<TraceStoreConfig, { kind: 'none' }>): Promise<Engine> {
    const { openEngine, retentionDays, logger } = this.#options
    try {
      const engine = await openEngine(config)
      try {
        await prepareSpansTable(engine, retentionDays)
      } catch (error) {
        await engine[Symbol.asyncDispose]()
        throw error
      }
      logger.info({ kind: config.kind }, 'trace_store_ready')
      return engine
    } catch (error) {
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
  const message = 'the observability backend is not available now'
  return new Unavailable('trace_store_unavailable', message, {
    cause,
    retryAfterMs: RETRY_AFTER_MS,
  })
}

function tooSlow(cause?: unknown): Unavailable {
  const message = 'the observability backend did not answer in time'
  return new Unavailable('trace_store_slow', message, { cause, retryAfterMs: RETRY_AFTER_MS })
}
