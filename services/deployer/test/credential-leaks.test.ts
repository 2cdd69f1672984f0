import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { childEnvironment, waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { labelNamespace, refuse, type AdmissionPolicy } from './support/admission.ts'
import { agentOf, contentOf, listIn } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { FULL_SPEC } from './support/specs.ts'

const REFUSE_LABEL = 'test.slipway.dev/refuse-secrets'
const GIVEN = {
  API_TOKEN: 'sentinel-api-token',
  OPENAI_API_KEY: 'sentinel-openai-key',
  EXTRA_TOKEN: 'sentinel-extra',
}
const CHANGED = { API_TOKEN: 'sentinel-changed-token' }
const KINDS = [
  'ConfigMap',
  'CronJob',
  'Deployment',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'Pod',
  'Service',
  'ServiceAccount',
  'StatefulSet',
]

let deployer: TestDeployer
let owner: Person
let policy: AdmissionPolicy
let child: ChildProcess
let log = ''
beforeAll(async () => {
  deployer = await startTestDeployer({
    MESSAGING_IMAGE: 'registry.example/messaging:1',
    MESSAGING_ADAPTERS: 'web,slack',
    INGRESS_DOMAIN: 'slipway.localhost',
  })
  owner = await deployer.signIn('owner')
  policy = await refuse(deployer.cluster, {
    name: `refuse-secrets-${owner.accountId}`,
    resources: ['secrets'],
    namespaceSelector: { matchLabels: { [REFUSE_LABEL]: owner.accountId } },
    expression: 'false',
    messageExpression:
      `has(object.data) && 'API_TOKEN' in object.data ` +
      `? 'no ' + string(object.data['API_TOKEN']) : 'no secrets'`,
  })
  child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    env: { ...childEnvironment(), ...deployer.env, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  await waitFor(() => log.includes('"listening"'), { what: 'the deployer to listen' })
})
afterAll(async () => {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  await policy[Symbol.asyncDispose]()
  await deployer[Symbol.asyncDispose]()
})

/** Returns all rows of all tables, and all event payloads, as text. */
async function databaseText(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public'`.execute(deployer.db)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        SELECT to_jsonb(t)::text AS row FROM ${sql.table(name)} t`.execute(deployer.db)
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  const { rows } = await sql<{ payload: Buffer }>`SELECT payload FROM outbox`.execute(deployer.db)
  return [...texts, ...rows.map(({ payload }) => payload.toString('latin1'))].join('\n')
}

test('keeps the values of credentials, passwords and tokens in Secrets only', async () => {
  const grpcAddress = /"grpc":"([^"]+)"/.exec(log)?.[1] ?? ''
  const agent = agentOf({ ...deployer, ...deployer.clientsOf({ grpcAddress }) }, owner, 'discreet')
  await agent.register('b1', FULL_SPEC)
  const choice = {
    schedules: { schedules: { nightly: '0 3 * * *' } },
    interfaces: { names: ['web'] },
  }
  const answers: unknown[] = [await agent.deploy(GIVEN, choice)]
  const { k8sNamespace: namespace } = answers[0] as Awaited<ReturnType<typeof agent.deploy>>
  const secrets = contentOf(await agent.list('Secret', namespace))

  await labelNamespace(deployer.cluster, namespace, { [REFUSE_LABEL]: owner.accountId })
  const refused = await waitFor(
    async () => {
      const answer = await agent.deploy({ ...GIVEN, ...CHANGED }, choice)
      return answer.errors.length > 0 ? answer : undefined
    },
    { what: 'the policy to take effect' },
  )
  expect(
    refused.resources.some(
      ({ kind, status }) => kind === 'Secret' && status === ResourceStatus.FAILED,
    ),
  ).toBe(true)
  await labelNamespace(deployer.cluster, namespace, { [REFUSE_LABEL]: null })
  await agent.trigger(namespace, 'docs')
  await agent.rotate().catch(() => {})
  answers.push(refused, await agent.get(), await agent.revisions())

  const generated = secrets
    .map((line) => line.slice(line.indexOf('=') + 1))
    .flatMap((value) => [
      value,
      /Bearer%20(.+)$/.exec(value)?.[1] ?? value,
      /:([^:@/]+)@/.exec(value)?.[1] ?? value,
    ])
  const values = new Set([...Object.values(GIVEN), ...Object.values(CHANGED), ...generated])
  expect(values.size).toBeGreaterThan(8)
  const objects = await Promise.all(KINDS.map((kind) => listIn(deployer.cluster, kind, namespace)))
  const places = {
    cluster: JSON.stringify(objects),
    answers: JSON.stringify(answers, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
    database: await databaseText(),
    log,
  }
  const found = Object.entries(places).flatMap(([place, text]) =>
    [...values].flatMap((value) => {
      const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '')
      return text.includes(value) || text.includes(base64) ? [`${place}: ${value}`] : []
    }),
  )
  expect(found).toEqual([])
  expect(places.log).toContain('slipway.deployer.v1.DeploymentService/Deploy')
})
