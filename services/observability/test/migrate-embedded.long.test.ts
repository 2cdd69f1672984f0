import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import {
  childEnvironment,
  testDatabase,
  testIssuer,
  testNats,
  type TestDatabase,
} from '@slipway/testing'
import { expect, test } from 'vitest'

import { startNeighbours } from './support/neighbours.ts'
import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { MAIN, startProcess } from './support/process.ts'

/** Runs the command to its end, as an init container does; returns the lines it prints. */
async function migrate(
  database: TestDatabase,
  dataDirectory: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'migrate'], {
    env: {
      ...childEnvironment(),
      DATABASE_URL: database.url,
      CLICKHOUSE_DATA_DIR: dataDirectory,
      ...env,
    },
  })
  return stdout.trim().split('\n')
}

test('migrate makes the tables in the data directory and leaves it to the service', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'slipway-migrate-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const dataDirectory = join(directory, 'traces')
  const database = stack.use(await testDatabase({ migrations: {} }))
  const prefix = `the trace store in ${dataDirectory}:`
  expect(await migrate(database, dataDirectory)).toEqual([
    `the database at ${new URL(database.url).host}: applied ` +
      '20261121T1350-consumed-event, 20261121T1400-deployments, 20261122T1940-span-usage',
    `${prefix} applied 20261121T1409-spans, 20261121T1713-small-blocks, ` +
      '20261122T1955-agent-id, 20261123T0930-span-facts, 20261123T1505-run-model, ' +
      '20261123T1540-session-index, 20261123T2030-cache-writes, 20261123T2245-cost-source, ' +
      '20261124T2115-fewer-merges, ' +
      '20261127T1530-version-index, ' +
      '20261123T1515-log-records, 20261123T2030-log-messages, ' +
      '20261124T1800-log-ids; ' +
      'spans are now stored for 37 days, 7 more than traces are shown',
  ])

  const issuer = stack.use(await testIssuer())
  const neighbours = stack.use(await startNeighbours(issuer))
  const owner = { accountId: 'acc-1', agent: 'helper', deploymentId: 'd', buildId: 'b' }
  neighbours.tokens.set('token', owner)
  const nats = stack.use(await testNats())
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('observability'))
  const start = () =>
    startProcess({
      AUTH_ISSUERS: issuer.issuersJson,
      SERVICE_TOKEN_FILE: tokenFile,
      NATS_URL: nats.url,
      DATABASE_URL: database.url,
      CATALOG_ADDRESS: neighbours.catalogAddress,
      DEPLOYER_ADDRESS: neighbours.deployerAddress,
      CLICKHOUSE_DATA_DIR: dataDirectory,
    })
  const send = (ingestUrl: string) =>
    sendSpans(ingestUrl, 'token', [
      { traceId: newTraceId(), spanId: newSpanId(), startMs: Date.now() },
    ])
  {
    await using service = await start()
    await send(service.ingestUrl)
    await expect(migrate(database, dataDirectory)).rejects.toThrow(
      `cannot open CLICKHOUSE_DATA_DIR ${dataDirectory}: `,
    )
  }
  expect((await migrate(database, dataDirectory, { TRACE_RETENTION_DAYS: '5' }))[1]).toBe(
    `${prefix} the schema is up to date; ` +
      'spans are now stored for 12 days, 7 more than traces are shown',
  )
  expect((await migrate(database, dataDirectory, { TRACE_RETENTION_DAYS: '5' }))[1]).toBe(
    `${prefix} the schema is up to date`,
  )
  await using service = await start()
  await send(service.ingestUrl)
})

test('without a trace store, migrate says so', async () => {
  await using database = await testDatabase({ migrations: {} })
  expect((await migrate(database, '', { CLICKHOUSE_URL: 'none' }))[1]).toBe(
    'the trace store is turned off: CLICKHOUSE_URL=none',
  )
})
