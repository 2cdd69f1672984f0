import type { Client } from '@connectrpc/connect'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import { listTraces } from '../../../services/observability/src/query/list-traces.ts'
import {
  sumTraces,
  sumTracesByInterval,
} from '../../../services/observability/src/query/trace-totals.ts'
import type { TraceScope } from '../../../services/observability/src/query/traces-sql.ts'
import type { Engine, QueryParameters } from '../../../services/observability/src/store/engine.ts'
import type { TraceReader } from '../../../services/observability/src/store/trace-store.ts'
import { AGENTS, agentOf } from './fill.ts'

/** Rounds over all agents. */
const ROUNDS = 2

/** In milliseconds. */
export interface Latencies {
  readonly p50: number
  readonly p95: number
}

/** How long one kind of question took. */
export interface QueryResult {
  readonly name: string
  readonly rpc: Latencies
  readonly direct: Latencies
}

/**
 * Asks for a page, buckets, a summary and a text in each agent's `days`, by RPC and by the same SQL
 * straight on the engine.
 */
export async function* measureQueries(
  { traces, engine, token }: { traces: Client<typeof TraceService>; engine: Engine; token: string },
  {
    days,
    endMs,
    names = ['page', 'buckets', 'summary', 'search'],
  }: { days: number; endMs: number; names?: readonly string[] },
): AsyncGenerator<QueryResult> {
  const startMs = endMs - days * 86_400_000
  const range = { start: timestampFromMs(startMs), end: timestampFromMs(endMs) }
  const options = { headers: { authorization: `Bearer ${token}` } }
  const scopeOf = (index: number): TraceScope => ({
    ...agentOf(index),
    range: { startNs: BigInt(startMs) * 1_000_000n, endNs: BigInt(endMs) * 1_000_000n },
    isLong: days > 15,
    settledBefore: Date.now() * 1000,
  })
  const filter = { isError: undefined, buildId: undefined, text: undefined }
  const questions = [
    {
      name: 'page',
      rpc: (index: number) => traces.listTraces({ ...requestOf(index), range }, options),
      sql: (store: TraceReader, index: number) =>
        listTraces(store, scopeOf(index), { filter, page: { limit: 50, offset: 0 } }),
    },
    {
      name: 'buckets',
      rpc: (index: number) => traces.getMetrics({ ...requestOf(index), range }, options),
      sql: (store: TraceReader, index: number) =>
        sumTracesByInterval(store, scopeOf(index), 3_600_000_000_000n),
    },
    {
      name: 'summary',
      rpc: (index: number) => traces.getSummary({ ...requestOf(index), range }, options),
      sql: (store: TraceReader, index: number) => sumTraces(store, scopeOf(index)),
    },
    {
      name: 'search',
      rpc: (index: number) =>
        traces.listTraces({ ...requestOf(index), range, query: textOf(index) }, options),
      sql: (store: TraceReader, index: number) =>
        listTraces(store, scopeOf(index), {
          filter: { ...filter, text: textOf(index) },
          page: { limit: 50, offset: 0 },
        }),
    },
  ]
  for (const { name, rpc, sql } of questions.filter((question) => names.includes(question.name))) {
    const direct: number[] = []
    const called: number[] = []
    for (let index = 0; index < ROUNDS * AGENTS; index += 1) {
      const statements = await recordStatements(engine, (store) => sql(store, index % AGENTS))
      direct.push(await timed(() => runStatements(engine, statements)))
      called.push(await timed(() => rpc(index % AGENTS)))
    }
    yield { name, rpc: latenciesOf(called), direct: latenciesOf(direct) }
  }
}

interface Statement {
  readonly sql: string
  readonly parameters: QueryParameters
}

/** What the service asks the engine for one question. */
async function recordStatements(
  engine: Engine,
  ask: (store: TraceReader) => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  const recorder: TraceReader = {
    async query(sql: string, parameters: QueryParameters) {
      statements.push({ sql, parameters })
      return await engine.query(sql, parameters, {
        timeoutMs: 60_000,
        signal: AbortSignal.timeout(60_000),
      })
    },
  }
  await ask(recorder)
  return statements
}

async function runStatements(engine: Engine, statements: readonly Statement[]): Promise<void> {
  for (const { sql, parameters } of statements) {
    await engine.query(sql, parameters, { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) })
  }
}

/** What stands in some inputs, in another case. */
function textOf(index: number): string {
  return `QUESTION 1${index}`
}

function requestOf(index: number): { account: string; name: string } {
  const { accountId, agent } = agentOf(index)
  return { account: accountId, name: agent }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function latenciesOf(values: readonly number[]): Latencies {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (fraction: number) => sorted[Math.ceil(sorted.length * fraction) - 1] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}
