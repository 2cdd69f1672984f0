import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLogger } from '@slipway/shared/logger'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Engine, QueryParameters } from '../src/store/engine.ts'
import { migrateTables } from '../src/store/migrate-tables.ts'
import { openEngine } from '../src/store/open-engine.ts'
import { TraceStore, type QueryLimits } from '../src/store/trace-store.ts'

const ENDLESS =
  'SELECT sum(sipHash64(number)) AS s FROM numbers(1000000000000) WHERE number >= {from:UInt64}'
const MEMORY_BYTES = 2 ** 30
let directory: string
let store: TraceStore

const optionsOf = (retentionDays: number) => ({
  prepare: async (engine: Engine) => void (await migrateTables(engine, retentionDays)),
  logger: createLogger('test', 'silent'),
  openEngine,
})

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-traces-'))
  store = new TraceStore(
    { kind: 'embedded', dataDirectory: directory, memoryBytes: MEMORY_BYTES },
    optionsOf(30),
  )
})
afterAll(async () => {
  await store?.[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

async function query(
  sql: string,
  parameters: QueryParameters,
  limits: QueryLimits,
): Promise<unknown[]> {
  return await store.read({ user: 'u' }, limits, (reader) => reader.query(sql, parameters))
}

function limits(timeoutMs: number, signal: AbortSignal = new AbortController().signal) {
  return { deadlineMs: Date.now() + timeoutMs, signal }
}

async function countRunning(): Promise<number> {
  const sql = `
    SELECT count() AS n FROM system.processes
    WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%system%'`
  const [row] = await query(sql, {}, limits(60_000))
  return Number((row as { n: unknown }).n)
}

async function waitForNone(): Promise<void> {
  await waitFor(async () => (await countRunning()) === 0, { what: 'the queries to be cancelled' })
}

test('a query ends at its deadline, even in the engine', async () => {
  await expect(query(ENDLESS, { from: 0 }, limits(300))).rejects.toMatchObject({
    reason: 'trace_store_slow',
  })
  await waitForNone()
})

test('a query ends in the engine when its caller cancels it', async () => {
  const caller = new AbortController()
  const endless = query(ENDLESS, { from: 1 }, limits(60_000, caller.signal))
  const gaveUp = new Error('the caller is gone')
  setImmediate(() => caller.abort(gaveUp))
  await expect(endless).rejects.toBe(gaveUp)
  await waitForNone()
})

test('waiting queries whose callers cancel them never begin', async () => {
  const caller = new AbortController()
  const slow = [2, 3].map((from) => query(ENDLESS, { from }, limits(60_000, caller.signal)))
  const waiting = [4, 5, 6].map((from) => query(ENDLESS, { from }, limits(60_000, caller.signal)))
  const impatient = query('SELECT 1', {}, limits(300))
  await expect(impatient).rejects.toMatchObject({ reason: 'trace_store_slow' })
  const gaveUp = new Error('the caller is gone')
  caller.abort(gaveUp)
  for (const begun of [...slow, ...waiting]) await expect(begun).rejects.toBe(gaveUp)
  await waitForNone()
})

test('a query that needs too much memory fails, and the next one succeeds', async () => {
  const greedy = 'SELECT length(groupArray(number)) AS n FROM numbers(1000000000)'
  await expect(query(greedy, {}, limits(60_000))).rejects.toMatchObject({
    reason: 'trace_store_unavailable',
  })
})

test('the engine has bounds of memory and of idle threads', async () => {
  const sql = `
    SELECT name, value FROM system.server_settings
    WHERE name IN ('max_server_memory_usage', 'max_thread_pool_free_size')
    ORDER BY name`
  expect(await query(sql, {}, limits(60_000))).toEqual([
    { name: 'max_server_memory_usage', value: String(MEMORY_BYTES) },
    { name: 'max_thread_pool_free_size', value: '16' },
  ])
})

test('parameters are bound, not interpolated', async () => {
  const evil = `'); DROP TABLE spans; -- \\' {x:String}\n\t`
  expect(await query('SELECT {x:String} AS x', { x: evil }, limits(60_000))).toEqual([{ x: evil }])
})

test('a store opens the directory of a closed one, and changes its retention', async () => {
  await query('SELECT 1', {}, limits(60_000))
  await store[Symbol.asyncDispose]()
  store = new TraceStore(
    { kind: 'embedded', dataDirectory: directory, memoryBytes: MEMORY_BYTES },
    optionsOf(10),
  )
  await waitFor(async () => (await query('SELECT 1', {}, limits(60_000))).length === 1, {
    what: 'the second store to open',
  })
  const [row] = await query(
    'SELECT create_table_query AS sql FROM system.tables WHERE name = {n:String}',
    { n: 'spans' },
    limits(60_000),
  )
  expect(String((row as { sql: unknown }).sql)).toContain('toIntervalDay(17)')
})

test('a disabled store rejects reads and inserts', async () => {
  await using none = new TraceStore({ kind: 'none' }, optionsOf(30))
  await expect(none.read({ user: 'u' }, limits(60_000), async () => 1)).rejects.toMatchObject({
    reason: 'trace_store_disabled',
  })
  await expect(none.insertSpans([])).rejects.toMatchObject({ reason: 'trace_store_disabled' })
})
