import { readRemoteError } from '@slipway/shared/rpc'
import { expect, test } from 'vitest'

import { prepareClickHouse } from './support/clickhouse-http.ts'
import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Spans are stored longer than traces are shown, so that traces stay complete. */
const EXTRA_DAYS = 7
const REQUEST = { account: 'acme', name: 'helper' }

async function platformOn(
  env: Readonly<Record<string, string>>,
  clock: () => number = Date.now,
): Promise<Platform> {
  const platform = await startPlatform(env, { clock })
  platform.neighbours.accounts.set('acme', 'acc-1')
  platform.neighbours.members.add('acc-1/alice')
  const owner = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  platform.neighbours.tokens.set('token', owner)
  return platform
}

async function send(
  { ingestUrl }: Platform,
  startMs: number,
): Promise<{ traceId: string; rejected: bigint }> {
  const traceId = newTraceId()
  const { partialSuccess } = await sendSpans(ingestUrl, 'token', [
    { traceId, spanId: newSpanId(), startMs },
  ])
  return { traceId, rejected: partialSuccess?.rejectedSpans ?? 0n }
}

/** Returns the totals of the three queries of a range, and whether GetTrace finds the trace. */
async function query({ traces, as }: Platform, traceId: string, range: object): Promise<unknown[]> {
  const options = await as('alice')
  const list = await traces.listTraces({ ...REQUEST, range }, options)
  const summary = await traces.getSummary({ ...REQUEST, range }, options)
  const { buckets } = await traces.getMetrics({ ...REQUEST, range, intervalMinutes: 1440 }, options)
  const single = await traces.getTrace({ ...REQUEST, traceId }, options).then(
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
  await using platform = await platformOn({ TRACE_RETENTION_DAYS: '3' }, () => nowMs)
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
    await using platform = await platformOn(settings, () => longAgo)
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
