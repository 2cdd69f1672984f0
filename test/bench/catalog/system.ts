import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  freePorts,
  testDatabase,
  testIssuer,
  testNats,
  type TestDatabase,
  type TestIssuer,
} from '@slipway/testing'

import { startMeasured, type Measured } from '../support/process.ts'
import { PEOPLE, subjectOf } from './population.ts'
import { recordStatements, type CatalogOptions } from './record-statements.ts'
import { seed } from './seed.ts'

/** The catalog and the gateway as in production, and the bare systems to compare them with. */
export interface BenchSystem extends AsyncDisposable {
  readonly issuer: TestIssuer
  readonly gatewayUrl: string
  readonly bareUrl: string
  /** The host:port of a catalog with all agents, and of one with few. */
  readonly catalogAddress: string
  readonly smallCatalogAddress: string
  readonly processes: Readonly<
    Record<'gateway' | 'catalog' | 'bareGateway' | 'bareService', Measured>
  >
  /** The access tokens of owners and of publishers, by their number. */
  readonly ownerTokens: readonly string[]
  readonly publisherTokens: readonly string[]
}

/** The size and options of the bench. */
export interface BenchSetUp {
  readonly agents: number
  readonly fewAgents: number
  readonly logLevel: string
  /** A directory for CPU profiles of both gateways and the catalog. */
  readonly profile: string | undefined
}

const POOL_SIZE = '10'
/** As recommended in docs/reference/env.md. */
const NODE_OPTIONS = '--max-semi-space-size=16 --v8-pool-size=1 --expose-gc'
/** The agent of the recorded statements. No other request is about it. */
const SAMPLE = 17

/** Starts all systems, with `agents` agents in one catalog and `fewAgents` in another. */
export async function startBenchSystem(
  { agents, fewAgents, logLevel, profile }: BenchSetUp,
  say: (line: string) => void,
): Promise<BenchSystem> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const issuer = stack.use(await testIssuer())
  const nats = stack.use(await testNats())
  const [database, smallDatabase, scratch] = await Promise.all(
    [1, 2, 3].map(async () => stack.use(await testDatabase({ migrations: {} }))),
  )
  if (!database || !smallDatabase || !scratch) throw new Error('no databases')
  const common = { AUTH_ISSUERS: issuer.issuersJson, LOG_LEVEL: logLevel }

  const startCatalog = async (name: string, on: TestDatabase, more: CatalogOptions = {}) => {
    const [grpc, connect, ops] = await freePorts(3)
    const measured = await startMeasured({
      script: 'services/catalog/src/main.ts',
      logFile: join(directory, `${name}.log`),
      readyUrl: `http://127.0.0.1:${ops}/readyz`,
      env: {
        ...common,
        NODE_OPTIONS,
        NATS_URL: nats.url,
        GRPC_ADDRESS: `127.0.0.1:${grpc}`,
        CONNECT_ADDRESS: `127.0.0.1:${connect}`,
        OPS_ADDRESS: `127.0.0.1:${ops}`,
        DATABASE_URL: on.url,
        DATABASE_POOL_SIZE: POOL_SIZE,
        MIGRATE_ON_START: 'true',
        ...more.env,
      },
      nodeArgs: more.nodeArgs ?? [],
    })
    return { measured, address: `127.0.0.1:${connect}` }
  }

  say('recording the catalog’s statements')
  const recordFile = join(directory, 'statements.jsonl')
  const operations = await recordStatements(
    { databaseUrl: scratch.url, file: recordFile, issuer, sample: subjectOf(SAMPLE) },
    (more) => startCatalog('recorder', scratch, more),
  )
  const statementsFile = join(directory, 'statements.json')
  writeFileSync(statementsFile, JSON.stringify({ sample: SAMPLE, operations }))

  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const small = await startCatalog('small-catalog', smallDatabase)
  stack.use(small.measured)
  await seed(smallDatabase.url, fewAgents)
  const catalog = await startCatalog('catalog', database, { nodeArgs: profiled })
  stack.use(catalog.measured)
  say(`filling the catalog with ${agents} agents`)
  await seed(database.url, agents)

  const [http, ops, bareHttp, bareGrpc] = await freePorts(4)
  const gateway = stack.use(
    await startMeasured({
      script: 'services/gateway/src/main.ts',
      logFile: join(directory, 'gateway.log'),
      nodeArgs: profiled,
      readyUrl: `http://127.0.0.1:${ops}/readyz`,
      env: {
        ...common,
        NODE_OPTIONS,
        NATS_URL: nats.url,
        HTTP_ADDRESS: `127.0.0.1:${http}`,
        OPS_ADDRESS: `127.0.0.1:${ops}`,
        CATALOG_ADDRESS: catalog.address,
        DEPLOYER_ADDRESS: '127.0.0.1:1',
        OBSERVABILITY_ADDRESS: '127.0.0.1:1',
        IDEMPOTENCY_KEY_SECRET: 'ab'.repeat(32),
        RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
        RATE_LIMIT_ADDRESS_BURST: '1000000',
        RATE_LIMIT_USER_PER_SECOND: '1000000',
        RATE_LIMIT_USER_BURST: '1000000',
        RATE_LIMIT_CHANGES_PER_SECOND: '1000000',
        RATE_LIMIT_CHANGES_BURST: '1000000',
      },
    }),
  )
  const gatewayUrl = `http://127.0.0.1:${http}`
  const cached = {
    CACHED_LIST: await saveAnswer(`${gatewayUrl}/api/v1/agents?limit=20`, join(directory, 'list')),
    CACHED_DETAIL: await saveAnswer(detailUrl(gatewayUrl), join(directory, 'detail')),
  }
  const bareGateway = stack.use(
    await startMeasured({
      script: 'test/bench/catalog/bare-gateway.ts',
      logFile: join(directory, 'bare-gateway.log'),
      readyUrl: `http://127.0.0.1:${bareHttp}/readyz`,
      nodeArgs: profiled,
      env: {
        HTTP_ADDRESS: `127.0.0.1:${bareHttp}`,
        GRPC_TARGET: `127.0.0.1:${bareGrpc}`,
        ...cached,
      },
    }),
  )
  const bareService = stack.use(
    await startMeasured({
      script: 'test/bench/catalog/bare-service.ts',
      logFile: join(directory, 'bare-service.log'),
      readyUrl: `http://127.0.0.1:${bareHttp}/readyz`,
      env: {
        GRPC_ADDRESS: `127.0.0.1:${bareGrpc}`,
        DATABASE_URL: database.url,
        DATABASE_POOL_SIZE: POOL_SIZE,
        STATEMENTS: statementsFile,
      },
    }),
  )
  const tokens = async (name: (index: number) => string) =>
    await Promise.all(
      Array.from({ length: PEOPLE }, (_, person) => issuer.userToken(name(person * 10))),
    )
  const ownerTokens = await tokens((index) => subjectOf(index).owner)
  const publisherTokens = await tokens((index) => subjectOf(index).publisher)
  const running = stack.move()
  return {
    issuer,
    gatewayUrl,
    bareUrl: `http://127.0.0.1:${bareHttp}`,
    catalogAddress: catalog.address,
    smallCatalogAddress: small.address,
    processes: { gateway, catalog: catalog.measured, bareGateway, bareService },
    ownerTokens,
    publisherTokens,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Returns the URL of an agent that no request changes. */
export function detailUrl(gatewayUrl: string): string {
  const { account, agent } = subjectOf(SAMPLE + 1)
  return `${gatewayUrl}/api/v1/agents/${account}/${agent}`
}

async function saveAnswer(url: string, file: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  writeFileSync(file, await response.text())
  return file
}
