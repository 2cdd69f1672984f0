import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { MEMORY } from '@slipway/images'
import { startNeighbours } from '@slipway/observability/testing/neighbours'
import { startPlatform } from '@slipway/observability/testing/platform'
import { freePorts, testDatabase, testIssuer, testNats } from '@slipway/testing'

import { startMeasured } from '../support/process.ts'
import { growthFigures, ingestFigure, queryFigure, type SizedResult } from './figures.ts'
import { AGENTS, agentOf, fill, resend, settle } from './fill.ts'
import { measureIngest } from './ingest-load.ts'
import { measureQueries } from './queries.ts'
import { Recorder } from './recorder.ts'

const SENDERS = 16
/** Each sender has two connections. */
const CONNECTIONS = 2 * SENDERS
const DAYS = [1, 30]

/** Options: what to measure. */
export interface BenchOptions {
  /** How long to send spans. */
  readonly ingestSeconds: number
  /** `ingest` or `queries`; both when empty. */
  readonly only: string
  /** How many traces to query. */
  readonly traces: number
}

/** Measures the ingest in a separate process, then queries over few and many traces. */
export async function* run({ ingestSeconds, only, traces }: BenchOptions): AsyncGenerator<object> {
  if (only !== 'queries') yield await benchIngest(ingestSeconds)
  if (only !== 'ingest') yield* benchQueries(traces)
}

async function benchIngest(seconds: number): Promise<object> {
  await using stack = new AsyncDisposableStack()
  const issuer = stack.use(await testIssuer())
  const neighbours = stack.use(await startNeighbours(issuer))
  const nats = stack.use(await testNats())
  const database = stack.use(await testDatabase({ migrations: {} }))
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('observability'))
  const [grpc, connect, ops, otlp] = await freePorts(4)
  const service = stack.use(
    await startMeasured({
      script: 'services/observability/src/main.ts',
      logFile: join(directory, 'observability.log'),
      readyUrl: `http://127.0.0.1:${ops}/readyz`,
      env: {
        ...MEMORY,
        LOG_LEVEL: 'silent',
        AUTH_ISSUERS: issuer.issuersJson,
        SERVICE_TOKEN_FILE: tokenFile,
        NATS_URL: nats.url,
        GRPC_ADDRESS: `127.0.0.1:${grpc}`,
        CONNECT_ADDRESS: `127.0.0.1:${connect}`,
        OPS_ADDRESS: `127.0.0.1:${ops}`,
        OTLP_ADDRESSES: `127.0.0.1:${otlp}`,
        DATABASE_URL: database.url,
        MIGRATE_ON_START: 'true',
        CATALOG_ADDRESS: neighbours.catalogAddress,
        DEPLOYER_ADDRESS: neighbours.deployerAddress,
        CLICKHOUSE_DATA_DIR: join(directory, 'traces'),
      },
    }),
  )
  const tokens = Array.from({ length: CONNECTIONS }, (_, index) => `token-${index % SENDERS}`)
  for (const [index, token] of tokens.entries()) {
    neighbours.tokens.set(token, { ...agentOf(index), deploymentId: 'd', buildId: 'b' })
  }
  const url = `http://127.0.0.1:${otlp}/v1/traces`
  return ingestFigure(await measureIngest({ url, tokens, service }, seconds), {
    seconds,
    connections: CONNECTIONS,
  })
}

async function* benchQueries(traces: number): AsyncGenerator<object> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const recorder = new Recorder()
  const platform = stack.use(
    await startPlatform({ CLICKHOUSE_DATA_DIR: directory }, { openEngine: recorder.openEngine }),
  )
  for (let index = 0; index < AGENTS; index += 1) {
    const { accountId, agent, agentId } = agentOf(index)
    platform.neighbours.agents.set(`${accountId}/${agent}`, { id: agentId, since: 0 })
    platform.neighbours.accounts.set(accountId, accountId)
    platform.neighbours.members.add(`${accountId}/alice`)
  }
  // After the first response the store is open and has its table.
  await platform.traces.getSummary(
    { account: 'account-0', name: 'agent-0' },
    await platform.as('alice'),
  )
  const engine = await recorder.engine
  const token = await platform.issuer.userToken('alice')
  const target = { traces: platform.traces, recorder, token }
  const endMs = Date.now()
  const results: SizedResult[] = []
  let filled = 0
  for (const size of [Math.round(traces / 10), traces]) {
    await fill(engine, filled, size, endMs - 1000)
    await settle(engine)
    filled = size
    for (const days of DAYS) {
      for await (const result of measureQueries(target, { days, endMs })) {
        yield queryFigure(result, { traces: size, days })
        results.push({ ...result, size, days })
      }
      for await (const result of measureQueries(target, { days, endMs, agents: 1 })) {
        const name = `${result.name} of the largest agent`
        yield queryFigure({ ...result, name }, { traces: size / 4, days })
      }
    }
  }
  yield* growthFigures(results)
  await resend(engine)
  const names = ['page', 'buckets', 'summary']
  for (const days of DAYS) {
    for await (const result of measureQueries(target, { days, endMs, names })) {
      yield queryFigure({ ...result, name: `${result.name} with copies` }, { traces: filled, days })
    }
  }
}
