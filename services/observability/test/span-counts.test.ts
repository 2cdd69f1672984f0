import { createDatabase } from '@slipway/shared/db'
import { createLogger } from '@slipway/shared/logger'
import { builtInLimits } from '@slipway/shared/account-limits'
import { freePorts, testDatabase } from '@slipway/testing'
import { afterAll, expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import type { ObservabilitySchema } from '../src/db/tables.ts'
import { SpanQuota } from '../src/quota/span-quota.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
const database = stack.use(await testDatabase({ migrations }))

/** A replica that allows 100 spans a day. */
function startReplica(url = database.url) {
  const db = stack.use(createDatabase<ObservabilitySchema>({ url, applicationName: 'test' }))
  const bounds = { ...builtInLimits.defaults, spans_per_day: 100 }
  return new SpanQuota({
    db,
    limits: { of: () => bounds, [Symbol.dispose]: () => {} },
    logger: createLogger('test', 'silent'),
    clock: Date.now,
  })
}

/** Stores as many of the spans as possible; returns their number. */
async function store(quota: SpanQuota, accountId: string, count: number): Promise<number> {
  using allowance = await quota.open(accountId)
  let taken = 0
  while (taken < count && allowance.take(1) === undefined) taken += 1
  allowance.keep()
  return taken
}

test('replicas share the counts, and a restart keeps them', async () => {
  const [one, two] = [startReplica(), startReplica()]
  expect(await store(one, 'shared', 60)).toBe(60)
  await one.use('shared')
  expect(await store(two, 'shared', 60)).toBe(40)
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await using restarted = startReplica()
  expect(await store(restarted, 'shared', 1)).toBe(0)
  expect(await restarted.use('shared')).toMatchObject({ used: 100, bound: 100 })
})

test('spans that were not stored do not count, also of concurrent requests', async () => {
  await using quota = startReplica()
  const failing = await quota.open('failing')
  for (let taken = 0; taken < 100; taken += 1) failing.take(1)
  expect(await store(quota, 'failing', 1)).toBe(0)
  failing[Symbol.dispose]()
  expect(await store(quota, 'failing', 70)).toBe(70)
  const rest = await Promise.all([1, 2, 3].map(() => store(quota, 'failing', 20)))
  expect(rest.toSorted((a, b) => a - b)).toEqual([0, 10, 20])
  expect(await quota.use('other')).toMatchObject({ used: 0 })
})

test('a replica without Postgres counts alone', async () => {
  const [port] = await freePorts(1)
  await using quota = startReplica(`postgres://someone@127.0.0.1:${port}/none`)
  expect(await store(quota, 'alone', 150)).toBe(100)
  expect(await store(quota, 'alone', 1)).toBe(0)
})
