import type { JsonObject } from '@bufbuild/protobuf'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { migrations as catalog } from '@slipway/catalog/migrations'
import { resultSchemas } from '@slipway/cli/result-schemas'
import { migrations as deployer } from '@slipway/deployer/migrations'
import { migrations as observability } from '@slipway/observability/migrations'
import { createDatabase, migrate, newerMigrations } from '@slipway/shared/db'
import { DEAD_LETTER_STREAM } from '@slipway/shared/events'
import { testDatabase } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readAnswers, type RecordedAnswer } from './support/answers.ts'
import { breakingChanges, type ApiDocument } from './support/api-changes.ts'
import { readApiDocument } from './support/api-document.ts'
import { stricterColumns } from './support/columns.ts'
import { connect, dumpSchema, restoreDatabase } from './support/dump-database.ts'
import { lostIn } from './support/lost.ts'
import { resultChanges, type Results } from './support/result-changes.ts'
import {
  DATABASES,
  hasLeft,
  readJson,
  readText,
  releases,
  type DatabaseName,
} from './support/releases.ts'
import {
  callWith,
  currentProtos,
  protosOf,
  readEvent,
  type RpcCall,
} from './support/rpc-callers.ts'
import { startServices, type Services } from './support/services.ts'
import { impossibleStatements } from './support/statements.ts'

// This release with what earlier ones have left, and earlier ones with what this one leaves.

const MIGRATIONS = { catalog, deployer, observability }
const HELPER: JsonObject = { account: 'alice', name: 'helper' }
const WORKER: JsonObject = { account: 'alice', name: 'worker' }

/** Calls of a member of the account. */
const CATALOG_CALLS: readonly RpcCall[] = [
  ['slipway.catalog.v1.AccountService', 'GetProfile', {}],
  ['slipway.catalog.v1.AccountService', 'ListMembers', { account: 'acme-labs' }],
  ['slipway.catalog.v1.AgentService', 'ListAgents', {}],
  ['slipway.catalog.v1.AgentService', 'ListAccountAgents', { account: 'alice' }],
  ['slipway.catalog.v1.AgentService', 'GetAgent', HELPER],
  ['slipway.catalog.v1.AgentService', 'GetAgentConfig', HELPER],
  ['slipway.catalog.v1.AgentService', 'GetDeploymentTemplate', HELPER],
]
const DEPLOYER_CALLS: readonly RpcCall[] = [
  ['slipway.deployer.v1.DeploymentService', 'GetDeployment', HELPER],
  ['slipway.deployer.v1.DeploymentService', 'GetCurrentBuild', HELPER],
  ['slipway.deployer.v1.DeploymentService', 'ListDeployments', { account: 'alice' }],
  ['slipway.deployer.v1.DeploymentService', 'ListRevisions', HELPER],
  ['slipway.deployer.v1.IngestionService', 'ListIngestions', WORKER],
  ['slipway.deployer.v1.IngestionService', 'ListIngestionRuns', { ...WORKER, ingestion: 'docs' }],
]

describe.each(releases())('release %s', (version) => {
  const open = new AsyncDisposableStack()
  /** Its databases as it left them, and as this release has migrated them. */
  const left = new Map<DatabaseName, string>()
  const migrated = new Map<DatabaseName, string>()
  let services: Services

  async function restore(name: DatabaseName): Promise<string> {
    const { url } = open.use(await testDatabase({ migrations: {} }))
    await restoreDatabase(url, readText(version, `${name}.sql`))
    return url
  }
  const rowsOf = async (url = '', query: string) => {
    await using client = await connect(url)
    return (await client.query<Record<string, unknown>>(query)).rows
  }

  beforeAll(async () => {
    for (const name of DATABASES) {
      left.set(name, await restore(name))
      const url = await restore(name)
      migrated.set(name, url)
      await using db = createDatabase({ url, applicationName: 'release' })
      await migrate(db, MIGRATIONS[name])
    }
    // Makes observability apply the events again, which the new NATS gets from the outboxes.
    await rowsOf(migrated.get('observability'), 'TRUNCATE consumed_event, deployment')
    const databases = Object.fromEntries(migrated) as Record<DatabaseName, string>
    services = open.use(await startServices({ databases }))
  })
  afterAll(async () => await open.disposeAsync())

  test.each(DATABASES)('%s: an old database becomes like a new one', async (name) => {
    await using fresh = await testDatabase({ migrations: MIGRATIONS[name] })
    expect(await dumpSchema(migrated.get(name) ?? '')).toEqual(await dumpSchema(fresh.url))
  })

  test.each(DATABASES)('%s: its code still works with the migrated database', async (name) => {
    const [url, before] = [migrated.get(name) ?? '', left.get(name) ?? '']
    const namesIn = async (database: string) =>
      (await rowsOf(database, 'SELECT name FROM kysely_migration')).map((row) =>
        String(row['name']),
      )
    const [mark] = await rowsOf(url, 'SELECT oldest_compatible AS name FROM schema_compatibility')
    const state = { applied: await namesIn(url), oldestCompatible: String(mark?.['name']) }
    const known = await namesIn(before)
    expect(() => newerMigrations(known, state)).not.toThrow()

    const statements = readJson<Record<string, readonly string[]>>(version, 'statements.json')
    expect(statements[name]?.length).toBeGreaterThan(3)
    expect(await impossibleStatements(url, statements[name] ?? [])).toEqual([])
    expect(await stricterColumns(before, url)).toEqual([])
  })

  test('the API answers as it did, perhaps with more', async () => {
    const before = readJson<readonly RecordedAnswer[]>(version, 'answers.json')
    expect(lostIn(await readAnswers(services, before), before)).toEqual([])
  })

  test('the API document lacks nothing that its clients use', async () => {
    const before = readJson<ApiDocument>(version, 'openapi.json')
    expect(breakingChanges(before, await readApiDocument(services))).toEqual([])
  })

  test('the results of the command line lack nothing that programs read', async () => {
    // Releases before the command line have left none.
    const file = 'cli-results.json'
    const before = hasLeft(version, file) ? readJson<Results>(version, file) : { $defs: {} }
    expect(resultChanges(before, await resultSchemas())).toEqual([])
  })

  test('its callers can send requests and read responses', async () => {
    const token = await services.issuer.userToken('alice')
    const [catalogAddress, deployerAddress] = [services.catalogAddress, services.deployerAddress]
    for (const [address, calls] of [
      [catalogAddress, CATALOG_CALLS],
      [deployerAddress, DEPLOYER_CALLS],
    ] as const) {
      for (const call of calls) {
        const read = await callWith(protosOf(version), address, token, call)
        const all = await callWith(currentProtos, address, token, call)
        expect(Object.keys(read ?? {})).not.toEqual([])
        expect(lostIn(all, read, call[1])).toEqual([])
      }
    }
  })

  test('its events are applied as it has applied them', async () => {
    const index = 'SELECT * FROM deployment ORDER BY deployment_id'
    const before = await rowsOf(left.get('observability'), index)
    expect(before.length).toBeGreaterThan(3)
    await expect.poll(() => rowsOf(migrated.get('observability'), index)).toEqual(before)
    const nats = await connectNats({ servers: services.nats.url })
    const { state } = await (await jetstreamManager(nats)).streams.info(DEAD_LETTER_STREAM)
    await nats.close()
    expect(state.messages).toBe(0)
  })

  test('its consumers can read the events of what its callers change', async () => {
    const agent = { account: 'alice', name: 'later' }
    const spec = 'spec: astro/v1\nname: later\nagent: {image: "registry.example/later:1"}\n'
    const registry = 'registry.example/x'
    const service = 'slipway.catalog.v1.AgentService'
    const token = await services.issuer.userToken('alice')
    for (const call of [
      [service, 'RegisterBuild', { ...agent, buildId: 'b1', registry, specContent: spec }],
      [service, 'PublishBuild', { ...agent, buildId: 'b1', version: '1.0.0' }],
      [service, 'YankVersion', { ...agent, version: '1.0.0' }],
    ] as const)
      await callWith(protosOf(version), services.catalogAddress, token, call)
    const newest = 'SELECT payload FROM outbox ORDER BY position DESC LIMIT 3'
    const rows = await rowsOf(migrated.get('catalog'), newest)
    const events = rows.map(({ payload }) => payload as Uint8Array)
    const read = events.map((payload) => readEvent(protosOf(version), payload))
    const all = events.map((payload) => readEvent(currentProtos, payload))
    expect(lostIn(all, read)).toEqual([])
    expect(read).toMatchObject([
      { versionYanked: { agent: 'later', version: '1.0.0' } },
      { versionPublished: { agent: 'later', buildId: 'b1', version: '1.0.0' } },
      { buildRegistered: { agent: 'later', buildId: 'b1' } },
    ])
  })
})
