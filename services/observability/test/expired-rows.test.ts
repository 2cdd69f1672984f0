import { afterAll, beforeAll, expect, test } from 'vitest'

import { deleteExpired } from '../src/retention/delete-expired.ts'
import type { Engine } from '../src/store/engine.ts'
import { migrateTables } from '../src/store/migrate-tables.ts'
import { openTestEngine } from './support/test-engine.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_DAYS = 60

let engine: Engine
beforeAll(async () => {
  engine = await openTestEngine()
  await migrateTables(engine, MAX_DAYS)
})
afterAll(() => engine?.[Symbol.asyncDispose]())

const signal = new AbortController().signal

async function countsByAccount(): Promise<Record<string, number>> {
  const sql = 'SELECT account_id, count() AS spans FROM spans GROUP BY account_id'
  const rows = await engine.query(sql, {}, { timeoutMs: 60_000, signal })
  return Object.fromEntries(
    (rows as { account_id: string; spans: number }[]).map((row) => [
      row.account_id,
      Number(row.spans),
    ]),
  )
}

/** Runs the job until there is nothing left to do; returns the weeks in which it has deleted. */
async function deleteAll(nowMs: number, days: Record<string, number>) {
  const retention = { maxDays: MAX_DAYS, daysOf: (id: string) => days[id] ?? MAX_DAYS }
  const weeks = []
  for (;;) {
    const running = `SELECT 1 FROM system.mutations WHERE NOT is_done`
    const isIdle = async () =>
      (await engine.query(running, {}, { timeoutMs: 60_000, signal })).length === 0
    await expect.poll(isIdle, { timeout: 60_000 }).toBe(true)
    const deleted = await deleteExpired(engine, { retention, nowMs, signal })
    if (deleted === undefined) return weeks
    weeks.push(deleted)
  }
}

test('deletes whole weeks of an account a week after its retention, and of no other', async () => {
  // A Monday.
  const firstWeekMs = Date.UTC(2026, 9, 5)
  for (const account of ['short', "o'ther", 'long']) {
    const id = account.replace("'", "\\'")
    await engine.command(`
      INSERT INTO spans (account_id, agent, start_time, trace_id, span_id, version)
      SELECT '${id}', 'a', toDateTime64('2026-10-05', 9, 'UTC') + toIntervalDay(number),
        toString(1e15 + number), toString(1e7 + number), 1
      FROM numbers(28)`)
  }
  const days = { short: 5, "o'ther": 12 }
  const all = { short: 28, "o'ther": 28, long: 28 }
  const firstEnds = firstWeekMs + (7 + 7 + 5) * DAY_MS
  expect(await deleteAll(firstEnds - 1, days)).toEqual([])
  expect(await countsByAccount()).toEqual(all)
  expect(await deleteAll(firstEnds, days)).toEqual([
    { table: 'spans', week: '2026-10-05', accounts: 1 },
  ])
  expect(await countsByAccount()).toEqual({ ...all, short: 21 })
  expect(await deleteAll(firstEnds + 7 * DAY_MS, days)).toEqual([
    { table: 'spans', week: '2026-10-05', accounts: 1 },
    { table: 'spans', week: '2026-10-12', accounts: 1 },
  ])
  expect(await countsByAccount()).toEqual({ short: 14, "o'ther": 21, long: 28 })
})
