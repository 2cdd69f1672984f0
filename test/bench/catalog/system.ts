import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { createConnectUnaryTransport } from '@slipway/shared/rpc'
import {
  freePorts,
  testDatabase,
  testIssuer,
  testNats,
  type TestDatabase,
  type TestIssuer,
} from '@slipway/testing'
import { Client } from 'pg'

import { startMeasured, type Measured } from '../support/process.ts'
import { PEOPLE, seedStatements, specOf, subjectOf } from './population.ts'
import type { RecordedStatement } from './statements.ts'

/**
 * The catalog and the gateway as they run anywhere, and beside them what they are compared with.
 */
export interface BenchSystem extends AsyncDisposable {
  readonly issuer: TestIssuer
  readonly gatewayUrl: string
  readonly bareUrl: string
  /** host:port of a catalog with all agents, and of one with few. */
  readonly catalogAddress: string
  readonly smallCatalogAddress: string
  readonly processes: Readonly<
    Record<'gateway' | 'catalog' | 'bareGateway' | 'bareService', Measured>
  >
  /** Access tokens of the people who own accounts, and of those who publish, by their number. */
  readonly ownerTokens: readonly string[]
  readonly publisherTokens: readonly string[]
}

/** What the bench is to be made of. */
export interface BenchSetUp {
  readonly agents: number
  readonly fewAgents: number
  readonly logLevel: string
  /** Directory for processor profiles of both gateways and of the catalog. */
  readonly profile: string | undefined
}

const POOL_SIZE = '10'
/** What docs/reference/env.md says to start these services with. */
const NODE_OPTIONS = '--max-semi-space-size=16 --v8-pool-size=1'
/** Which agent the recorded statements are about. Nobody else asks for it. */
const SAMPLE = 17

/** Starts everything, with `agents` agents in one catalog and `fewAgents` in another. */
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

  const startCatalog = async (name: string, on: TestDatabase, more: MoreOptions = {}) => {
    const [grpc, ops] = await freePorts(2)
    const measured = await startMeasured({
      script: 'services/catalog/src/main.ts',
      logFile: join(directory, `${name}.log`),
      readyUrl: `http://127.0.0.1:${ops}/readyz`,
      env: {
        ...common,
        NODE_OPTIONS,
        NATS_URL: nats.url,
        GRPC_ADDRESS: `127.0.0.1:${grpc}`,
        OPS_ADDRESS: `127.0.0.1:${ops}`,
        DATABASE_URL: on.url,
        DATABASE_POOL_SIZE: POOL_SIZE,
        MIGRATE_ON_START: 'true',
        ...more.env,
      },
      nodeArgs: more.nodeArgs ?? [],
    })
    return { measured, address: `127.0.0.1:${ops}` }
  }

  say('recording the catalog’s statements')
  const recordFile = join(directory, 'statements.jsonl')
  const operations = await recordStatements(scratch, recordFile, issuer, (more) =>
    startCatalog('recorder', scratch, more),
  )
  const statementsFile = join(directory, 'statements.json')
  writeFileSync(statementsFile, JSON.stringify({ sample: SAMPLE, operations }))

  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const small = await startCatalog('small-catalog', smallDatabase)
  stack.use(small.measured)
  await seed(smallDatabase, fewAgents)
  const catalog = await startCatalog('catalog', database, { nodeArgs: profiled })
  stack.use(catalog.measured)
  say(`filling the catalog with ${agents} agents`)
  await seed(database, agents)

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

interface MoreOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
}

/** Where the detail of an agent is that nobody writes to. */
export function detailUrl(gatewayUrl: string): string {
  const { account, agent } = subjectOf(SAMPLE + 1)
  return `${gatewayUrl}/api/v1/agents/${account}/${agent}`
}

async function saveAnswer(url: string, file: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  writeFileSync(file, await response.text())
  return file
}

async function seed({ url }: TestDatabase, agents: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of seedStatements(agents)) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Lets a catalog that writes its statements down do each operation once. Without NATS, its relay
 * has nothing to do.
 */
async function recordStatements(
  database: TestDatabase,
  file: string,
  issuer: TestIssuer,
  start: (more: MoreOptions) => Promise<{ measured: Measured; address: string }>,
): Promise<Record<string, RecordedStatement[]>> {
  const recorder = join(import.meta.dirname, 'record-queries.ts')
  const { measured, address } = await start({
    env: { RECORD_QUERIES_TO: file, NATS_URL: 'nats://127.0.0.1:1' },
    nodeArgs: ['--import', recorder],
  })
  await using _process = measured
  await seed(database, 1000)
  using transport = createConnectUnaryTransport([address])
  const agents = createClient(AgentService, transport)
  const accounts = createClient(AccountService, transport)
  const { account, agent: name, owner, publisher, newBuild, version } = subjectOf(SAMPLE)
  const as = async (person: string) => ({
    headers: { authorization: `Bearer ${await issuer.userToken(person)}` },
  })
  const [asOwner, asPublisher] = [await as(owner), await as(publisher)]

  const record = async (operation: () => Promise<unknown>): Promise<RecordedStatement[]> => {
    // What a person does first may be more than what they do then.
    await agents.getAgent({ account, name }, asOwner)
    rmSync(file, { force: true })
    await operation()
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines
      .map((line) => JSON.parse(line) as RecordedStatement)
      .filter(({ text }) => !isBackground(text))
  }
  const build = {
    account,
    name,
    buildId: newBuild,
    registry: 'oci://registry.example/team',
    specContent: specOf(name),
  }
  return {
    detail: await record(() => agents.getAgent({ account, name }, asOwner)),
    me: await record(() => accounts.getProfile({}, asOwner)),
    publish: await record(() =>
      agents.publishBuild({ account, name, buildId: 'build-2', version }, asPublisher),
    ),
    register: await record(() =>
      agents.registerBuild({ ...build, readme: '# Read me' }, asPublisher),
    ),
  }
}

/** What the relay of events sends by its clock, and what wakes it. */
function isBackground(text: string): boolean {
  return /^listen|pg_notify|advisory|from outbox|update outbox|delete from outbox/i.test(
    text.trim(),
  )
}
