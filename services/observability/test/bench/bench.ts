import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { testDatabase, testIssuer, testNats } from '@slipway/shared/testing'

import { migrations } from '../../src/db/migrations/index.ts'
import { openEngine } from '../../src/store/engine.ts'
import { startNeighbours } from '../neighbours.ts'
import { startPlatform } from '../platform.ts'
import { startProcess } from '../process.ts'
import { AGENTS, agentOf, fill } from './fill.ts'
import { measureIngest } from './ingest-load.ts'
import { measureQueries, type QueryResult } from './queries.ts'

const INGEST_SECONDS = 20
const CONNECTIONS = 8
const SIZES = [200_000, 2_000_000]

/** Measures observability: the ingest of a process of its own, then questions about few and many traces. */
export async function run(print: (line: string) => void): Promise<void> {
  await benchIngest(print)
  await benchQueries(print)
}

async function benchIngest(print: (line: string) => void): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const issuer = stack.use(await testIssuer())
  const neighbours = stack.use(await startNeighbours(issuer))
  const nats = stack.use(await testNats())
  const database = stack.use(await testDatabase({ migrations }))
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('observability'))
  const process = stack.use(
    await startProcess({
      AUTH_ISSUERS: issuer.issuersJson,
      SERVICE_TOKEN_FILE: tokenFile,
      NATS_URL: nats.url,
      DATABASE_URL: database.url,
      CATALOG_ADDRESS: neighbours.address,
      DEPLOYER_ADDRESS: neighbours.address,
      CLICKHOUSE_DATA_DIR: join(directory, 'traces'),
    }),
  )
  const tokens = Array.from({ length: CONNECTIONS }, (_, index) => `token-${index}`)
  for (const [index, token] of tokens.entries()) {
    neighbours.tokens.set(token, { ...agentOf(index), deploymentId: 'd', buildId: 'b' })
  }
  const { ingestUrl: url, pid } = process
  const result = await measureIngest({ url, tokens, pid }, INGEST_SECONDS)
  print(
    `ingest: ${result.spansPerSecond} spans/s of ${result.bytesPerSpan} bytes over ${CONNECTIONS} connections (HTTP, protobuf), ` +
      `${result.refused} requests refused, memory ${result.memoryMib.join(' ')} MiB`,
  )
}

async function benchQueries(print: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const platform = stack.use(await startPlatform({ CLICKHOUSE_DATA_DIR: directory }))
  for (let index = 0; index < AGENTS; index += 1) {
    const { accountId } = agentOf(index)
    platform.neighbours.accounts.set(accountId, accountId)
    platform.neighbours.members.add(`${accountId}/alice`)
  }
  // Opens the store, and makes the table.
  await platform.traces.getSummary({ account: 'account-0', name: 'agent-0' }, await platform.as('alice'))
  const engine = stack.use(await openEngine({ kind: 'embedded', dataDirectory: directory }))
  const token = await platform.issuer.userToken('alice')
  const endMs = Date.now()
  let filled = 0
  for (const size of SIZES) {
    await fill(engine, filled, size, endMs - 1000)
    filled = size
    for (const days of size === SIZES.at(-1) ? [1, 30] : [1]) {
      const results = await measureQueries({ traces: platform.traces, engine, token }, { days, endMs })
      for (const result of results) print(`${size} traces, ${days} d: ${describe(result)}`)
    }
  }
}

function describe({ name, rpcP50, rpcP95, directP50, directP95 }: QueryResult): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const ratio = (rpcP50 / directP50).toFixed(2)
  return `${name} p50 ${ms(rpcP50)} p95 ${ms(rpcP95)}; same SQL on the engine p50 ${ms(directP50)} p95 ${ms(directP95)}; ${ratio} times`
}
