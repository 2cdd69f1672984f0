import type { Client } from '@connectrpc/connect'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Engine } from '@slipway/observability/store/engine'
import { MetricsGrouping } from '@slipway/proto/slipway/observability/v1/trace'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import { AGENTS, agentOf } from './fill.ts'
import type { Recorder, Statement } from './recorder.ts'

/** How often each agent's traces are queried. */
const ROUNDS = 2
const INTERVAL_MINUTES = 60
const STATEMENT_TIMEOUT_MS = 60_000

/** In milliseconds. */
export interface Latencies {
  readonly p50: number
  readonly p95: number
}

/** How long one kind of query took. */
export interface QueryResult {
  readonly name: string
  readonly rpc: Latencies
  readonly direct: Latencies
  /** The longest first call of an agent, in milliseconds. */
  readonly firstMs: number
}

/** The measured system: the service, and the ClickHouse behind it. */
export interface QueryTarget {
  readonly traces: Client<typeof TraceService>
  readonly recorder: Recorder
  /** Access token of a member of all accounts. */
  readonly token: string
}

/** The queries that are measured. */
const NAMES = ['page', 'buckets', 'summary', 'sessions', 'session', 'models', 'search'] as const

/** Which queries are measured: all of them, over the agents 0 to `agents`. */
export interface QueryPlan {
  readonly days: number
  readonly endMs: number
  readonly names?: readonly string[]
  readonly agents?: number
}

/**
 * Measures queries over the last `days` of agents: over RPC, and with the same SQL directly on the
 * engine.
 */
export async function* measureQueries(
  { traces, recorder, token }: QueryTarget,
  { days, endMs, names = NAMES, agents = AGENTS }: QueryPlan,
): AsyncGenerator<QueryResult> {
  const range = {
    start: timestampFromMs(endMs - days * 86_400_000),
    end: timestampFromMs(endMs),
  }
  const options = { headers: { authorization: `Bearer ${token}` } }
  const requestOf = (index: number) => {
    const { accountId, agent } = agentOf(index)
    return { account: accountId, name: agent, range }
  }
  /** The newest session of each agent. */
  const newest: string[] = []
  for (let index = 0; index < agents && names.includes('session'); index += 1) {
    const page = await traces.listSessions({ ...requestOf(index), pageSize: 1 }, options)
    newest.push(page.sessions[0]?.sessionId ?? '')
  }
  const calls: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    page: (index) => traces.listTraces(requestOf(index), options),
    buckets: (index) =>
      traces.getMetrics({ ...requestOf(index), intervalMinutes: INTERVAL_MINUTES }, options),
    summary: (index) => traces.getSummary(requestOf(index), options),
    sessions: (index) => traces.listSessions(requestOf(index), options),
    session: (index) =>
      traces.getSession({ ...requestOf(index), sessionId: newest[index] ?? '' }, options),
    models: (index) =>
      traces.getMetrics({ ...requestOf(index), groupBy: MetricsGrouping.MODEL }, options),
    search: (index) => traces.listTraces({ ...requestOf(index), query: textOf(index) }, options),
  }
  const engine = await recorder.engine
  for (const name of names) {
    const call = calls[name]
    if (call === undefined) throw new Error(`there is no query named ${name}`)
    const direct: number[] = []
    const rpc: number[] = []
    const firsts: number[] = []
    for (let index = 0; index < ROUNDS * AGENTS; index += 1) {
      if (index < agents) firsts.push(await timed(() => call(index)))
      const statements = await recorder.record(() => call(index % agents))
      direct.push(await timed(() => runStatements(engine, statements)))
      rpc.push(await timed(() => call(index % agents)))
    }
    yield { name, rpc: latenciesOf(rpc), direct: latenciesOf(direct), firstMs: Math.max(...firsts) }
  }
}

async function runStatements(engine: Engine, statements: readonly Statement[]): Promise<void> {
  const signal = AbortSignal.timeout(STATEMENT_TIMEOUT_MS)
  for (const { sql, parameters } of statements) {
    await engine.query(sql, parameters, { timeoutMs: STATEMENT_TIMEOUT_MS, signal })
  }
}

/** A string that some inputs contain, in another case. */
function textOf(index: number): string {
  return `QUESTION 1${index}`
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
