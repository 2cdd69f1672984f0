import { createLogger } from '@slipway/shared/logger'
import { freePorts, testDatabase, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { migrateStores, readMigrateConfig } from '../src/migrate-command.ts'
import { prepareClickHouse } from './support/clickhouse-http.ts'
import { encodeRequest, newSpanId, newTraceId, post, toOtlpSpan } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

/** Runs the command; returns the lines about ClickHouse, without its address. */
async function migrate(
  env: Readonly<Record<string, string>>,
  timeoutMs?: number,
): Promise<readonly string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await migrateStores(readMigrateConfig(env), timeoutMs ? { report, timeoutMs } : { report })
  return lines.flatMap((line) => /^ClickHouse at \S+: (.*)/.exec(line)?.[1] ?? [])
}

async function readiness({ service }: Platform): Promise<unknown> {
  return await (await fetch(`http://${service.opsAddress}/readyz`)).json()
}

async function sendSpan(platform: Platform): Promise<number> {
  const owner = { accountId: 'acc-1', agent: 'helper', deploymentId: 'dep-1', buildId: 'build-1' }
  platform.neighbours.tokens.set('token', owner)
  const span = toOtlpSpan({ traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() })
  const response = await post(platform.ingestUrl, 'token', encodeRequest([span]))
  await response.arrayBuffer()
  return response.status
}

test('the service is not ready until migrate has made the tables, which it may not', async () => {
  await using clickHouse = await prepareClickHouse()
  await clickHouse.start()
  let log = ''
  await using platform = await startPlatform(
    { CLICKHOUSE_URL: clickHouse.serviceUrl, MIGRATE_ON_START: 'false' },
    { logger: createLogger('observability', 'warn', { write: (line) => void (log += line) }) },
  )
  await expect
    .poll(() => readiness(platform))
    .toEqual({ status: 'unavailable', failing: ['trace_store_schema'] })
  await expect
    .poll(() => log)
    .toContain('the trace store has no table of spans: run the command `migrate` of this release')
  expect(await sendSpan(platform)).toBe(503)

  const env = { DATABASE_URL: platform.databaseUrl, CLICKHOUSE_URL: clickHouse.url }
  expect(await migrate(env)).toEqual([
    'applied 20261121T1409-spans, 20261121T1713-small-blocks, 20261122T1955-agent-id, ' +
      '20261123T0930-span-facts, 20261123T1505-run-model, 20261123T1540-session-index, ' +
      '20261123T2030-cache-writes, 20261123T2245-cost-source, ' +
      '20261124T2115-fewer-merges, ' +
      '20261127T1530-version-index, ' +
      '20261123T1515-log-records, 20261123T2030-log-messages, ' +
      '20261124T1800-log-ids; ' +
      'spans are now stored for 37 days, 7 more than traces are shown',
  ])
  await waitFor(async () => (await sendSpan(platform)) === 200, { what: 'the store to open' })
  await expect.poll(() => readiness(platform)).toEqual({ status: 'ok', failing: [] })
})

test('processes that migrate at once make the tables once', async () => {
  await using clickHouse = await prepareClickHouse()
  await clickHouse.start()
  await using database = await testDatabase({ migrations: {} })
  const env = { DATABASE_URL: database.url, CLICKHOUSE_URL: clickHouse.url }
  const lines = await Promise.all(Array.from({ length: 4 }, () => migrate(env)))
  const upToDate = 'the schema is up to date'
  expect(lines.flat().toSorted().slice(1)).toEqual([upToDate, upToDate, upToDate])
  expect(await migrate({ ...env, TRACE_RETENTION_DAYS: '5' })).toEqual([
    `${upToDate}; spans are now stored for 12 days, 7 more than traces are shown`,
  ])
})

test('fails with the address and the remedy if ClickHouse never answers', async () => {
  await using database = await testDatabase({ migrations: {} })
  const [port = 0] = await freePorts(1)
  const command = migrate(
    {
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: `http://slipway:hunter2@127.0.0.1:${port}/slipway`,
    },
    1500,
  )
  await expect(command).rejects.toThrow(
    `ClickHouse at 127.0.0.1:${port} did not answer for 2 s: connect ECONNREFUSED ` +
      `127.0.0.1:${port}. Check CLICKHOUSE_URL, and that the server runs and can be reached`,
  )
  await expect(command).rejects.not.toThrow('hunter2')
})

test('a user without the right to create tables is refused, with the reason', async () => {
  await using clickHouse = await prepareClickHouse()
  await clickHouse.start()
  await using database = await testDatabase({ migrations: {} })
  const env = { DATABASE_URL: database.url, CLICKHOUSE_URL: clickHouse.serviceUrl }
  await expect(migrate(env)).rejects.toThrow('service: Not enough privileges')
})
