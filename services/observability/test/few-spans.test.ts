import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { hourOf } from '../src/domain/hours.ts'
import { readFewDetails } from '../src/query/few-details.ts'
import { listSessions } from '../src/query/list-sessions.ts'
import { readManyDetails, readManyOrders } from '../src/query/many-details.ts'
import type { Row } from '../src/query/query-rows.ts'
import { readRuns } from '../src/query/read-runs.ts'
import type { Run } from '../src/query/run.ts'
import { totalsOfRuns } from '../src/query/run-totals.ts'
import { ownerParameters, traceTail } from '../src/query/spans-sql.ts'
import { sumTracesByHour } from '../src/query/trace-totals.ts'
import type { Engine, QueryParameters } from '../src/store/engine.ts'
import { migrateTables } from '../src/store/migrate-tables.ts'
import { openTestEngine } from './support/test-engine.ts'

const START_MS = Date.UTC(2026, 9, 25, 0, 30)
const MAX_SPANS = 1_000
const SETTLED_US = 1_000
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal }

let engine: Engine
let agentNumber = 0

beforeAll(async () => {
  engine = await openTestEngine()
  await migrateTables(engine, 30)
})
afterAll(() => engine?.[Symbol.asyncDispose]())

const id = fc.constantFrom('1', '2', '3', '4')
const amount = fc.constantFrom('0', '0', '7', '18446744073709551615')
const text = fc.constantFrom('', '', 'one', 'two')

/** The columns of a span, by name. */
const fields = fc.record({
  trace_hex: id.map((digit) => digit.repeat(32)),
  span_hex: id.map((digit) => digit.repeat(16)),
  parent_hex: fc.oneof(fc.constant(''), id).map((digit) => digit.repeat(16)),
  start_time: fc
    .constantFrom(0, 0, 1, 59, 61)
    .map((minutes) => new Date(START_MS + minutes * 60_000).toISOString().slice(0, -1)),
  version: fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 1 }),
  root_rank: fc.constantFrom(0, 1, 2, 3),
  duration_ns: fc.constantFrom(0, 5, 7_200_000_000_000),
  first_token_ns: fc.constantFrom(0, 3),
  is_error: fc.boolean().map(Number),
  is_failed_run: fc.constantFrom(0, 0, 1),
  type: fc.constantFrom('', 'agent', 'model', 'embedding', 'tool'),
  cached_tokens: amount,
  reasoning_tokens: amount,
  response_id: text,
  cost_source: fc.constantFrom('', 'prices', 'sender'),
  build_id: text,
  session_id: fc.constantFrom('', 'one', 'two', 'tab\t"\'\\n\\'),
  user_id: text,
  model: text,
  name: text,
  input: text,
  output: text,
})
/** A span reports its own usage or that of others. */
const span = fc
  .tuple(fields, fc.boolean(), fc.tuple(amount, amount, amount))
  .map(([own, isCall, [input, output, cost]]) => ({
    ...own,
    [isCall ? 'input_tokens' : 'total_input_tokens']: input,
    [isCall ? 'output_tokens' : 'total_output_tokens']: output,
    [isCall ? 'cost_nano_usd' : 'total_cost_nano_usd']: cost,
  }))
const spans = fc.array(span, { minLength: 1, maxLength: 12 })

const reader = {
  query: (sql: string, parameters: QueryParameters) => engine.query(sql, parameters, LIMITS),
}

/** Stores spans of a new agent, each with another version, and returns the agent. */
async function store(rows: readonly (typeof span extends fc.Arbitrary<infer T> ? T : never)[]) {
  agentNumber += 1
  const agent = `agent-${agentNumber}`
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row, index) => {
    const all = { ...row, version: [Number(row.version[0]) * 100 + index] }
    return `('acc-1', '${agent}', ${Object.values(all)
      .map((value) => (typeof value === 'string' ? quoted(value) : String(value)))
      .join(', ')})`
  })
  await engine.command(
    `INSERT INTO spans (account_id, agent, ${columns.join(', ')}) VALUES ${values.join(', ')}`,
  )
  return { accountId: 'acc-1', agent, agentId: '', agentSinceNs: 0n }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

function scopeOf(owner: Awaited<ReturnType<typeof store>>, minutes: number) {
  const startNs = BigInt(START_MS) * 1_000_000n
  const range = { startNs, endNs: startNs + BigInt(minutes) * 60_000_000_000n }
  const settledBeforeUs = SETTLED_US * 100
  return { ...owner, range, parts: [range], retentionDays: 30, settledBeforeUs }
}

test('traces that are read span by span are those that SQL finds', async () => {
  await fc.assert(
    fc.asyncProperty(spans, fc.constantFrom(30, 90), async (rows, minutes) => {
      const scope = scopeOf(await store(rows), minutes)
      const runs = (await readRuns(reader, scope, MAX_SPANS)) ?? []
      const { totals } = await sumTracesByHour(reader, scope)
      const hours = Map.groupBy(runs, ({ startTimeNs }) => hourOf(startTimeNs))
      const own = [...hours].map(([hour, members]) => [hour, totalsOfRuns(members)] as const)
      expect(new Map(own)).toEqual(totals)
    }),
    { numRuns: rounds(10) },
  )
})

test('the details of few spans are those that SQL finds', async () => {
  await fc.assert(
    fc.asyncProperty(spans, async (rows) => {
      const scope = scopeOf(await store(rows), 90)
      const runs = (await readRuns(reader, scope, MAX_SPANS)) ?? []
      if (runs.length === 0) return
      const parameters = pageOf(runs, scope)
      const few = byTrace(await readFewDetails(reader, runs, parameters))
      const many = byTrace(await readManyDetails(reader, parameters))
      const orders = byTrace(await readManyOrders(reader, parameters))
      expect([...few.keys()].toSorted()).toEqual([...many.keys()].toSorted())
      for (const run of runs) {
        const [own, expected] = [few.get(run.traceId), many.get(run.traceId)]
        // What SQL may count twice is worked out again.
        const { is_miscounted: isMiscounted, ...others } = expected ?? {}
        const ofUsage = Number(isMiscounted) > 0 ? /_sum$/ : /^$/
        const compared = Object.entries({ ...others, ...orders.get(run.traceId) })
        expect(asTexts(own)).toMatchObject(
          asTexts(Object.fromEntries(compared.filter(([name]) => !ofUsage.test(name)))),
        )
      }
    }),
    { numRuns: rounds(10) },
  )
})

test('the sessions of few spans are those that SQL finds', async () => {
  await fc.assert(
    fc.asyncProperty(spans, fc.constantFrom(30, 90), async (rows, minutes) => {
      const scope = scopeOf(await store(rows), minutes)
      const listing = { filter: {}, page: { limit: 500, offset: 0 } }
      const sessions = await listSessions(reader, scope, listing)
      expect(sessions).toEqual(await listSessions(reader, scope, { ...listing, maxSpans: 0 }))
      const [first] = sessions.sessions
      const filter = { sessionId: first?.sessionId ?? 'none' }
      const found = await listSessions(reader, scope, { ...listing, filter })
      expect(found.sessions).toEqual(sessions.sessions.slice(0, 1))
    }),
    { numRuns: rounds(10) },
  )
})

function pageOf(runs: readonly Run[], owner: Parameters<typeof ownerParameters>[0]) {
  const starts = runs.flatMap(({ firstStartNs, lastStartNs }) => [firstStartNs, lastStartNs])
  return {
    ...ownerParameters(owner),
    firstStartNs: starts.reduce((first, start) => (start < first ? start : first)),
    lastStartNs: starts.reduce((last, start) => (start > last ? start : last)),
    traceIds: runs.map(({ traceId }) => traceId),
    roots: runs.map(({ traceId, rootSpanId }) => traceId + rootSpanId),
    tails: runs.map(({ traceId }) => traceTail(traceId)),
  }
}

/** Numbers of 64 bits are strings in rows of SQL. */
function asTexts(row: Row | undefined): Row {
  const texts = Object.entries(row ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ])
  return Object.fromEntries(texts) as Row
}

function byTrace(rows: Awaited<ReturnType<typeof readFewDetails>>) {
  return new Map((rows ?? []).map((row) => [String(row['trace']), row]))
}
