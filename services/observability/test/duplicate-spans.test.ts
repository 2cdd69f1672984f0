import { afterAll, beforeAll, expect, test } from 'vitest'

import { sumTracesByHour } from '../src/query/trace-totals.ts'
import { combineTotals } from '../src/domain/totals.ts'
import { traceTail } from '../src/query/spans-sql.ts'
import { MAX_DUPLICATED } from '../src/query/traces-sql.ts'
import type { Engine, QueryParameters } from '../src/store/engine.ts'
import { openTestEngine } from './support/test-engine.ts'
import { migrateTables } from '../src/store/migrate-tables.ts'

const HOUR_MS = 3_600_000
const TRACES = 6_000

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
  await migrateTables(engine, 30)
})
afterAll(() => engine?.[Symbol.asyncDispose]())

/** Stores traces of one span each. Trace n takes n nanoseconds, unless `durationNs` is given. */
async function store(
  agent: string,
  traces: { count: number; startMs: number; version: number; durationNs?: number },
) {
  const { count, startMs, version, durationNs } = traces
  await engine.command(`
    INSERT INTO spans (account_id, agent, start_time, trace_hex, span_hex, version, duration_ns)
    SELECT 'acc-1', '${agent}', fromUnixTimestamp64Milli(toInt64(${startMs}), 'UTC'),
      hex(MD5(toString(number))), leftPad(hex(number + 1), 16, '0'), ${version},
      ${durationNs ?? 'number'}
    FROM numbers(${count})`)
}

/** Sums an agent's traces in the hour from `startMs`; `tails` are those in each query. */
async function sum(agent: string, startMs: number) {
  const sent: QueryParameters[] = []
  const { signal } = new AbortController()
  const reader = {
    async query(sql: string, parameters: QueryParameters) {
      sent.push(parameters)
      return await engine.query(sql, parameters, { timeoutMs: 60_000, signal })
    },
  }
  const range = {
    startNs: BigInt(startMs) * 1_000_000n,
    endNs: BigInt(startMs + HOUR_MS) * 1_000_000n,
  }
  const owner = { accountId: 'acc-1', agent, agentId: '', agentSinceNs: 0n }
  const settledBeforeUs = startMs * 1000
  const scope = { ...owner, range, parts: [range], retentionDays: 30, settledBeforeUs }
  const { totals } = await sumTracesByHour(reader, scope)
  const { count, durationSumNs } = combineTotals([...totals.values()])
  return { count, durationSumNs, tails: sent.map((parameters) => parameters['duplicatedTails']) }
}

test('deduplicates only the traces with duplicate spans', async () => {
  const startMs = Date.now() - 2 * HOUR_MS
  await store('helper', { count: TRACES, startMs, version: 1 })
  const all = BigInt((TRACES * (TRACES - 1)) / 2)
  expect(await sum('helper', startMs)).toEqual({ count: TRACES, durationSumNs: all, tails: [[]] })

  // Sends the first trace again, which waits to be merged, then the first two with another start,
  // which are never merged.
  await store('helper', { count: 1, startMs, version: 2, durationNs: 500 })
  await store('helper', { count: 2, startMs: startMs + 1, version: 3, durationNs: 7 })
  const duplicated = ['cfcd208495d565ef66e7dff9f98764da', 'c4ca4238a0b923820dcc509a6f75849b'].map(
    traceTail,
  )
  const { tails, ...totals } = await sum('helper', startMs)
  expect(totals).toEqual({ count: TRACES, durationSumNs: all - 1n + 14n })
  expect(tails).toEqual([
    [],
    expect.toSatisfy(
      (sent: number[]) => new Set(sent).symmetricDifference(new Set(duplicated)).size === 0,
    ),
  ])

  // The newest copy counts even outside the range, as now for both traces.
  await store('helper', { count: 2, startMs: startMs + HOUR_MS, version: 4 })
  expect(await sum('helper', startMs)).toMatchObject({ count: TRACES - 2, durationSumNs: all - 1n })
  expect(await sum('helper', startMs + HOUR_MS)).toMatchObject({ count: 2, durationSumNs: 1n })
})

test('deduplicates all traces when too many have duplicate spans', async () => {
  expect(TRACES).toBeGreaterThan(MAX_DUPLICATED)
  const startMs = Date.now() - 2 * HOUR_MS
  await store('doubled', { count: TRACES, startMs, version: 1 })
  await store('doubled', { count: TRACES, startMs: startMs + 1, version: 2, durationNs: 3 })
  expect(await sum('doubled', startMs)).toMatchObject({
    count: TRACES,
    durationSumNs: BigInt(TRACES * 3),
  })
})
