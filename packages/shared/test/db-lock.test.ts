import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createDatabase, withAdvisoryLock, type Database } from '../src/db/index.ts'
import { lineProxy, testDatabase, waitFor, type TestDatabase } from '@slipway/testing'

let server: TestDatabase
let one: Database<unknown>
let two: Database<unknown>

beforeAll(async () => {
  server = await testDatabase({ migrations: {} })
  one = createDatabase({ url: server.url, applicationName: 'one' })
  two = createDatabase({ url: server.url, applicationName: 'two' })
})
afterAll(async () => {
  await one.destroy()
  await two.destroy()
  await server[Symbol.asyncDispose]()
})

const held = { acquired: true, result: 'done' }
const busy = { acquired: false }
const done = async (): Promise<string> => 'done'

test.each(['the same process', 'another process'])(
  'a lock excludes %s until it is released',
  async (holder) => {
    const other = holder === 'the same process' ? one : two
    const release = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const first = withAdvisoryLock(one, 'a', {}, async () => {
      entered.resolve()
      await release.promise
      return 'done'
    })
    await entered.promise
    expect(await withAdvisoryLock(other, 'a', {}, done)).toEqual(busy)
    expect(await withAdvisoryLock(other, 'a', { tryForMs: 50 }, done)).toEqual(busy)
    expect(await withAdvisoryLock(other, 'b', {}, done)).toEqual(held)
    const waiting = withAdvisoryLock(other, 'a', { tryForMs: 120_000 }, done)
    release.resolve()
    expect(await first).toEqual(held)
    expect(await waiting).toEqual(held)
  },
)

test('fifty concurrent bodies run one at a time', async () => {
  let running = 0
  const seen: number[] = []
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      withAdvisoryLock(index % 2 ? one : two, 'crowd', { tryForMs: 120_000 }, async () => {
        running += 1
        await sql`SELECT pg_sleep(0.001)`.execute(one)
        seen.push(running)
        running -= 1
      }),
    ),
  )
  expect(seen).toEqual(Array.from({ length: 50 }, () => 1))
})

test('a body that throws releases the lock', async () => {
  const failing = withAdvisoryLock(one, 'a', {}, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await withAdvisoryLock(two, 'a', {}, done)).toEqual(held)
})

test('the caller’s signal ends the wait', async () => {
  const caller = new AbortController()
  await withAdvisoryLock(one, 'a', {}, async () => {
    const waiting = withAdvisoryLock(two, 'a', { tryForMs: 60_000, signal: caller.signal }, done)
    caller.abort()
    await expect(waiting).rejects.toThrow('aborted')
  })
})

test('a heartbeat checks the connection of a lock that is held for long', async () => {
  await withAdvisoryLock(one, 'a', {}, async (signal) => {
    const heartbeats = async (): Promise<number> => {
      const { rows } = await sql`SELECT FROM pg_stat_activity WHERE application_name = 'one locks'
                                 AND query LIKE '%IS NOT NULL%' AND state = 'idle'`.execute(two)
      return rows.length
    }
    await waitFor(heartbeats, { what: 'a heartbeat' })
    expect(signal.aborted).toBe(false)
    expect(await withAdvisoryLock(two, 'a', {}, done)).toEqual(busy)
  })
})

test('losing the connection fires the signal and frees the lock', async () => {
  const outcome = await withAdvisoryLock(one, 'a', {}, async (signal) => {
    await sql`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'one locks'`.execute(two)
    await waitFor(() => signal.aborted, { what: 'the signal' })
    expect(signal.reason).toMatchObject({ reason: 'lock_lost' })
    expect(await withAdvisoryLock(two, 'a', {}, done)).toEqual(held)
    return 'done'
  })
  expect(outcome).toEqual(held)
  expect(await withAdvisoryLock(one, 'a', {}, done)).toEqual(held)
})

test('a busy event loop loses no lock, and gets the response that arrived meanwhile', async () => {
  const program = new URL('support/busy-lock-holder.ts', import.meta.url)
  const holder = new Worker(program, { workerData: server.url })
  const [outcome] = await once(holder, 'message')
  expect(outcome).toEqual({ acquired: true, result: { other: held, isLost: false } })
})

test('a dead connection fires the signal', async () => {
  await using line = await lineProxy(server.url)
  await using far = createDatabase({ url: line.url, applicationName: 'far' })
  const outcome = await withAdvisoryLock(far, 'a', {}, async (signal) => {
    line.freeze()
    await waitFor(() => signal.aborted, { what: 'the signal' })
    line.cut()
    return 'done'
  })
  expect(outcome).toEqual(held)
  expect(await withAdvisoryLock(one, 'a', { tryForMs: 120_000 }, done)).toEqual(held)
})
