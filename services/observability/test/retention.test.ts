import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readRemoteError } from '@slipway/shared/rpc'
import { expect, test } from 'vitest'

import type { ObservabilityOverrides } from '../src/service.ts'
import { prepareClickHouse } from './support/clickhouse-http.ts'
import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Spans are stored longer than traces are shown, so that traces stay complete. */
const EXTRA_DAYS = 7
const REQUEST = { account: 'acme', name: 'helper' }

async function platformOn(
  env: Readonly<Record<string, string>>,
  overrides: ObservabilityOverrides = {},
): Promise<Platform> {
  const platform = await startPlatform(env, overrides)
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  const owner = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  platform.neighbours.tokens.set('token', owner)
  return platform
}

async function send(
  { ingestUrl }: Platform,
  startMs: number,
  token = 'token',
): Promise<{ traceId: string; rejected: bigint }> {
  const traceId = newTraceId()
  const { partialSuccess } = await sendSpans(ingestUrl, token, [
    { traceId, spanId: newSpanId(), startMs },
  ])
  return { traceId, rejected: partialSuccess?.rejectedSpans ?? 0n }
}

/** Returns the totals of the three queries of a range, and whether GetTrace finds the trace. */
async function query(
  { traces, as }: Platform,
  traceId: string,
  range: object,
  agent = REQUEST,
): Promise<unknown[]> {
  const options = await as('alice')
  const list = await traces.listTraces({ ...agent, range }, options)
  const summary = await traces.getSummary({ ...agent, range }, options)
  const { buckets } = await traces.getMetrics({ ...agent, range, intervalMinutes: 1440 }, options)
  const single = await traces.getTrace({ ...agent, traceId }, options).then(
    () => 'found',
    (error: unknown) => readRemoteError(error).reason,
  )
  return [
    list.total,
    summary.totalTraces,
    buckets.reduce((sum, { traceCount }) => sum + traceCount, 0n),
    single,
  ]
}

test('accepts and shows traces for the configured number of days', async () => {
  let nowMs = Date.now()
  await using platform = await platformOn({ TRACE_RETENTION_DAYS: '3' }, { clock: () => nowMs })
  expect(await send(platform, nowMs - 3 * DAY_MS - 1000)).toMatchObject({ rejected: 1n })
  const { traceId, rejected } = await send(platform, nowMs - 2 * DAY_MS)
  expect(rejected).toBe(0n)
  const seconds = (ms: number) => ({ seconds: BigInt(Math.trunc(ms / 1000)), nanos: 0 })
  const range = { start: seconds(nowMs - 30 * DAY_MS), end: seconds(nowMs + DAY_MS) }
  expect(await query(platform, traceId, range)).toEqual([1n, 1n, 1n, 'found'])
  // The engine may store it longer, but it is no longer shown.
  nowMs += DAY_MS + 1000
  expect(await query(platform, traceId, range)).toEqual([0n, 0n, 0n, 'trace_not_found'])
})

test('an account has its own retention, which the operator can change at any time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'limits-'))
  const file = join(folder, 'limits.yaml')
  const accountId = crypto.randomUUID()
  await writeFile(file, `accounts: {${accountId}: {trace_days: 3}}`)
  let nowMs = Date.now()
  const clock = () => nowMs
  await using clickHouse = await prepareClickHouse()
  await clickHouse.start()
  const overrides = { clock, limitsIntervalMs: 20, expiryIntervalMs: 50 }
  const env = { ACCOUNT_LIMITS_FILE: file, CLICKHOUSE_URL: clickHouse.url }
  await using platform = await platformOn(env, overrides)
  const { neighbours } = platform
  neighbours.accounts.set('brief', accountId)
  neighbours.members.add(`${accountId}/alice`)
  const owner = { accountId, agent: 'helper', deploymentId: 'dep-2', buildId: 'build-1' }
  neighbours.tokens.set('brief', owner)
  const brief = { ...REQUEST, account: 'brief' }
  const seconds = (ms: number) => ({ seconds: BigInt(Math.trunc(ms / 1000)), nanos: 0 })
  const range = { start: seconds(nowMs - 30 * DAY_MS), end: seconds(nowMs + DAY_MS) }
  expect(await send(platform, nowMs - 4 * DAY_MS, 'brief')).toMatchObject({ rejected: 1n })
  const kept = await send(platform, nowMs - 2 * DAY_MS, 'brief')
  const other = await send(platform, nowMs - 4 * DAY_MS)
  const found = [1n, 1n, 1n, 'found']
  const gone = [0n, 0n, 0n, 'trace_not_found']
  expect(await query(platform, kept.traceId, range, brief)).toEqual(found)
  expect(await query(platform, other.traceId, range)).toEqual(found)

  await writeFile(file, `accounts: {${accountId}: {trace_days: 1}}`)
  await expect.poll(() => query(platform, kept.traceId, range, brief)).toEqual(gone)
  expect(await query(platform, other.traceId, range)).toEqual(found)
  await writeFile(file, '')
  await expect.poll(() => query(platform, kept.traceId, range, brief)).toEqual(found)

  await writeFile(file, `accounts: {${accountId}: {trace_days: 1}}`)
  nowMs += 20 * DAY_MS
  const accounts = async () => {
    const body = 'SELECT DISTINCT account_id FROM spans FORMAT TSVRaw'
    return (await (await fetch(clickHouse.url, { method: 'POST', body })).text()).trim()
  }
  await expect.poll(accounts, { timeout: 60_000 }).toBe('acc-1')
  await rm(folder, { recursive: true })
})

test('deletes older spans from the store, even after the setting has changed', async () => {
  await using clickHouse = await prepareClickHouse()
  await clickHouse.start()
  const sql = async (text: string) =>
    (await (await fetch(clickHouse.url, { method: 'POST', body: text })).text()).trim()
  const daysSet = async () =>
    /toIntervalDay\((\d+)\)/.exec(await sql('SHOW CREATE TABLE spans'))?.[1]
  const longAgo = Date.now() - 20 * DAY_MS
  const settings = { CLICKHOUSE_URL: clickHouse.url, TRACE_RETENTION_DAYS: '5' }
  {
    // The span is recent by the clock of this instance.
    await using platform = await platformOn(settings, { clock: () => longAgo })
    await send(platform, longAgo)
    expect(await daysSet()).toBe(String(5 + EXTRA_DAYS))
  }
  {
    await using platform = await platformOn(settings)
    await send(platform, Date.now() - DAY_MS)
    const merge = async () => {
      await sql('OPTIMIZE TABLE spans FINAL')
      return await sql('SELECT count() FROM spans')
    }
    await expect.poll(merge).toBe('1')
  }
  await using platform = await platformOn({ ...settings, TRACE_RETENTION_DAYS: '90' })
  await send(platform, Date.now() - 60 * DAY_MS)
  expect(await daysSet()).toBe(String(90 + EXTRA_DAYS))
  await sql('OPTIMIZE TABLE spans FINAL')
  expect(await sql('SELECT count() FROM spans')).toBe('2')
})
