import { createHash } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, contentOf } from './support/agents.ts'
import { outcomeOf, type Person, type TestDeployer } from './support/deployer.ts'
import { startFullDeployer } from './support/full-deployer.ts'
import { FULL_CHOICES, FULL_CREDENTIALS, FULL_SPEC } from './support/specs.ts'

const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS='

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  ;({ deployer, owner } = await startFullDeployer())
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

async function headersOf(agent: ReturnType<typeof agentOf>, namespace: string): Promise<string[]> {
  return contentOf(await agent.list('Secret', namespace))
    .filter((line) => line.startsWith(HEADERS))
    .map((line) => line.slice(HEADERS.length))
}

test('the token resolves to its deployment, for services only, until the undeploy', async () => {
  const agent = agentOf(deployer, owner, 'traced')
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  const [header = ''] = await headersOf(agent, namespace)
  const token = /^authorization=Bearer%20(.+)$/.exec(header)?.[1] ?? ''
  const tokenSha256 = createHash('sha256').update(token).digest()
  const service = await deployer.asService('observability')
  const found = await deployer.workloads.resolveIngestToken({ tokenSha256 }, service)
  expect(found).toMatchObject({ accountId: owner.accountId, agent: 'traced', buildId: 'b1' })
  const resolve = (options: typeof service) =>
    outcomeOf(deployer.workloads.resolveIngestToken({ tokenSha256 }, options))
  expect(await resolve(owner.options)).toBe('wrong_caller')
  await agent.undeploy()
  expect(await resolve(service)).toBe('ingest_token_unknown')
})

test('a rotation replaces the token and its Secret, and restarts only the agent', async () => {
  const agent = agentOf(deployer, owner, 'rotated')
  await agent.register('b1', FULL_SPEC)
  const { k8sNamespace: namespace } = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
  const templates = async () =>
    Object.fromEntries(
      [
        ...(await agent.list('Deployment', namespace)),
        ...(await agent.list('StatefulSet', namespace)),
      ].map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec?.['template'])]),
    )
  const [before] = await headersOf(agent, namespace)
  const templatesBefore = await templates()
  await agent.rotate()
  const after = await headersOf(agent, namespace)
  expect(after).toHaveLength(1)
  expect(after[0]).not.toBe(before)
  const templatesAfter = await templates()
  const changed = Object.keys(templatesAfter).filter(
    (name) => templatesAfter[name] !== templatesBefore[name],
  )
  expect(changed).toEqual(['rotated-agent'])
  expect(await agent.revisions()).toHaveLength(1)
})
