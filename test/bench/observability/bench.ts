import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { testDatabase, testIssuer, testNats } from '@slipway/testing'

import { migrations } from '../../../services/observability/src/db/migrations/index.ts'
import { openEngine } from '../../../services/observability/src/store/engine.ts'
import { startNeighbours } from '../../../services/observability/test/support/neighbours.ts'
import { startPlatform } from '../../../services/observability/test/support/platform.ts'
import { startProcess } from '../../../services/observability/test/support/process.ts'
import { growthFigures, ingestFigure, queryFigure, type SizedResult } from './figures.ts'
import { AGENTS, agentOf, fill, resend, settle } from './fill.ts'
import { measureIngest } from './ingest-load.ts'
import { measureQueries } from './queries.ts'

const CONNECTIONS = 8
const SIZES = [200_000, 2_000_000] as const
const DAYS = [1, 30]

/** What is to be measured. */
export interface BenchOptions {
  /** How long spans are sent. */
  readonly ingestSeconds: number
  /** `ingest` or `queries`; both when empty. */
  readonly only: string
}

/**
 * Measures observability: the ingest of a process of its own, then questions about few and many
 * traces.
 */
export async function* run({ ingestSeconds, only }: BenchOptions): AsyncGenerator<object> {
  if (only !== 'queries') yield await benchIngest(ingestSeconds)
  if (only !== 'ingest') yield* benchQueries()
}

async function benchIngest(seconds: number): Promise<object> {
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
      CATALOG_ADDRESS: neighbours.catalogAddress,
      DEPLOYER_ADDRESS: neighbours.deployerAddress,
      CLICKHOUSE_DATA_DIR: join(directory, 'traces'),
    }),
  )
  const tokens = Array.from({ length: CONNECTIONS }, (_, index) => `token-${index}`)
  for (const [index, token] of tokens.entries()) {
    neighbours.tokens.set(token, { ...agentOf(index), deploymentId: 'd', buildId: 'b' })
  }
  const { ingestUrl: url, pid } = process
  return ingestFigure(await measureIngest({ url, tokens, pid }, seconds), {
    seconds,
    connections: CONNECTIONS,
  })
}

async function* benchQueries(): AsyncGenerator<object> {
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
  await platform.traces.getSummary(
    { account: 'account-0', name: 'agent-0' },
    await platform.as('alice'),
  )
  const engine = stack.use(
    await openEngine({ kind: 'embedded', dataDirectory: directory, memoryBytes: 2 ** 30 }),
  )
  const token = await platform.issuer.userToken('alice')
  const endMs = Date.now()
  const results: SizedResult[] = []
  let filled = 0
  for (const size of SIZES) {
    await fill(engine, filled, size, endMs - 1000)
    await settle(engine)
    filled = size
    for (const days of DAYS) {
      for await (const result of measureQueries(
        { traces: platform.traces, engine, token },
        { days, endMs },
      )) {
        yield queryFigure(result, { traces: size, days })
        results.push({ ...result, size, days })
      }
    }
  }
  yield* growthFigures(results)
  await resend(engine)
  const names = ['page', 'buckets', 'summary']
  for (const days of DAYS) {
    for await (const result of measureQueries(
      { traces: platform.traces, engine, token },
      { days, endMs, names },
    )) {
      yield queryFigure({ ...result, name: `${result.name} with copies` }, { traces: filled, days })
    }
  }
}
