import type { Engine, Query, QueryParameters } from '@slipway/observability/store/engine'
import { openEngine } from '@slipway/observability/store/open-engine'

/** A query as the service sent it to ClickHouse. */
export interface Statement {
  readonly sql: string
  readonly parameters: QueryParameters
}

/** Opens ClickHouse for the service, and records the queries that the service runs. */
export class Recorder {
  readonly #opened = Promise.withResolvers<Engine>()
  #statements: Statement[] | undefined

  /** The engine that the service opened, without the recorder. */
  get engine(): Promise<Engine> {
    return this.#opened.promise
  }

  /** Replaces `openEngine` in the service. */
  readonly openEngine: typeof openEngine = async (config, trustedCa) => {
    const engine = await openEngine(config, trustedCa)
    this.#opened.resolve(engine)
    return {
      ...engine,
      read: (owner, signal, work) =>
        engine.read(owner, signal, (query) => work(this.#recording(query))),
    }
  }

  /** The queries that the service runs during `work`, in order. */
  async record(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    const statements: Statement[] = []
    this.#statements = statements
    try {
      await work()
    } finally {
      this.#statements = undefined
    }
    return statements
  }

  #recording(query: Query): Query {
    return async (sql, parameters, limits) => {
      this.#statements?.push({ sql, parameters })
      return await query(sql, parameters, limits)
    }
  }
}
