import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { resultSchemas } from '@slipway/cli/result-schemas'
import { openEngine } from '@slipway/observability/store/open-engine'
import { VERSION } from '@slipway/shared/version'
import { testDatabase, waitFor } from '@slipway/testing'

import { cluster, find } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { questions, readAnswers } from './support/answers.ts'
import { readApiDocument } from './support/api-document.ts'
import { connect, dumpDatabase, restoreDatabase } from './support/dump-database.ts'
import { writeReleaseData } from './support/release-data.ts'
import { DATABASES, folderOf, type DatabaseName } from './support/releases.ts'
import { startServices } from './support/services.ts'
import { recordStatements } from './support/statements.ts'

// Writes what later releases are tested with, for `./dev release`. README.md explains the files.

const CHECKOUT = resolve(import.meta.dirname, '../..')

const folder = folderOf(VERSION)
await mkdir(folder, { recursive: true })
await promisify(execFile)(
  'node_modules/.bin/buf',
  ['build', '--path=proto/slipway', '--exclude-source-info', '-o', join(folder, 'protos.binpb')],
  { cwd: CHECKOUT },
)

await using stack = new AsyncDisposableStack()

/** Creates an empty database for each service. */
async function databases(): Promise<Record<DatabaseName, string>> {
  const urls = DATABASES.map(async (name) => {
    const { url } = stack.use(await testDatabase({ migrations: {} }))
    return [name, url] as const
  })
  return Object.fromEntries(await Promise.all(urls)) as Record<DatabaseName, string>
}

const write = async (file: string, content: unknown, depth: number) =>
  await writeFile(join(folder, file), `${toLines(content, depth)}\n`)

await write('cli-results.json', await resultSchemas(), 2)

using statements = recordStatements()
const original = await databases()
const traces = await mkdtemp(join(tmpdir(), 'slipway-release-traces-'))
stack.defer(() => rm(traces, { recursive: true, force: true }))
{
  await using services = await startServices({
    databases: original,
    kubeconfig: fromStack('DEPLOYER_KUBECONFIG'),
    traceStore: { CLICKHOUSE_DATA_DIR: traces },
  })
  stack.defer(() => deleteNamespaces(original.deployer))
  await writeReleaseData(services)
  for (const name of ['catalog', 'deployer'] as const) await untilPublished(original[name])
  await untilIndexed(original)
  await write('openapi.json', await readApiDocument(services), 3)
}

{
  const config = { kind: 'embedded', dataDirectory: traces, memoryBytes: 2 ** 30 } as const
  await using engine = await openEngine(config)
  const limits = { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) }
  const definition = `SELECT create_table_query AS sql FROM system.tables WHERE name = 'spans'`
  const [table] = (await engine.query(definition, {}, limits)) as readonly { sql: string }[]
  await writeFile(join(folder, 'spans.sql'), `${table?.sql}\n`)
}

const dumps = new Map<DatabaseName, string>()
for (const name of DATABASES) {
  dumps.set(name, await dumpDatabase(original[name]))
  await writeFile(join(folder, `${name}.sql`), dumps.get(name) ?? '')
}

// What the release answers with the dumps, as the tests of later ones do.
const restored = await databases()
for (const name of DATABASES) await restoreDatabase(restored[name], dumps.get(name) ?? '')
{
  await using services = await startServices({ databases: restored })
  await write('answers.json', await readAnswers(services, questions()), 1)
}
const used = (name: DatabaseName) =>
  [original, restored].flatMap((urls) => statements.of(new URL(urls[name]).pathname.slice(1)))
const sent = DATABASES.map((name) => [name, [...new Set(used(name))].toSorted()])
await write('statements.json', Object.fromEntries(sent), 2)

/** Writes JSON with a line for each member, down to a depth. */
function toLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const lines = Object.entries(value).map(
    ([name, member]) =>
      (Array.isArray(value) ? '' : `${JSON.stringify(name)}: `) + toLines(member, depth - 1),
  )
  const [first, last] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? first + last : `${first}\n${lines.join(',\n')}\n${last}`
}

/** Deletes the namespaces of all deployments. */
async function deleteNamespaces(url: string): Promise<void> {
  await using client = await connect(url)
  const { rows } = await client.query<{ name: string }>(
    'SELECT k8s_namespace AS name FROM deployment',
  )
  for (const { name } of rows) {
    const path = `/api/v1/namespaces/${name}`
    if (await find(path)) await cluster.call('DELETE', path)
  }
}

/** Waits until NATS has all events. */
async function untilPublished(url: string): Promise<void> {
  await using client = await connect(url)
  const unpublished = async () =>
    (await client.query('SELECT FROM outbox WHERE published_at IS NULL')).rowCount
  await waitFor(async () => (await unpublished()) === 0, { what: 'the events to be published' })
}

/** Waits until observability knows what became of every deployment. */
async function untilIndexed(urls: Record<DatabaseName, string>): Promise<void> {
  await using deployer = await connect(urls.deployer)
  await using observability = await connect(urls.observability)
  const { rows } = await deployer.query<{ id: string; sequence: string }>(
    `SELECT aggregate_id AS id, max(sequence) AS sequence FROM outbox GROUP BY 1 ORDER BY 1`,
  )
  const indexed = async () =>
    (
      await observability.query(
        `SELECT aggregate_id AS id, sequence FROM consumed_event ORDER BY 1`,
      )
    ).rows
  await waitFor(async () => JSON.stringify(await indexed()) === JSON.stringify(rows), {
    what: 'the index of deployments',
  })
}
