import { createHash } from 'node:crypto'

import { durationMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { updateDeployment } from '../src/db/deployments.ts'
import { keepFormerToken } from '../src/db/former-ingest-tokens.ts'
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

async function tokenOf(agent: ReturnType<typeof agentOf>, namespace: string): Promise<string> {
  const [header = ''] = await headersOf(agent, namespace)
  return /^authorization=Bearer%20(.+)$/.exec(header)?.[1] ?? ''
}

/** Returns for how many minutes a token is still valid, rounded up; or the reason why it isn't. */
async function validity(token: string): Promise<string | number | undefined> {
  const tokenSha256 = createHash('sha256').update(token).digest()
  const call = deployer.workloads.resolveIngestToken(
    { tokenSha256 },
    await deployer.asService('observability'),
  )
  return await call.then(
    ({ validFor }) => validFor && Math.ceil(durationMs(validFor) / 60_000),
    () => outcomeOf(call),
  )
}

test('the token resolves to its deployment, for services only, until the undeploy', async () => {
  const agent = agentOf(deployer, owner, 'traced')
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  const token = await tokenOf(agent, namespace)
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

test('replaced tokens end with the shortest grace time since, or with the undeploy', async () => {
  const agent = agentOf(deployer, owner, 'graced')
  await agent.register()
  const { k8sNamespace: namespace } = await agent.deploy()
  const tokens = [await tokenOf(agent, namespace)]
  const rotate = async (grace?: bigint) => {
    const { rotateTime, formerExpireTime } = await agent.rotate(grace)
    tokens.push(await tokenOf(agent, namespace))
    const seconds = Number((formerExpireTime?.seconds ?? 0n) - (rotateTime?.seconds ?? 0n))
    return formerExpireTime && Math.round(seconds / 60)
  }
  const validities = async () => {
    const found = []
    for (const token of tokens) found.push(await validity(token))
    return found
  }
  expect(await rotate(86_400n)).toBe(1440)
  expect(await validities()).toEqual([1440, undefined])
  // No pod becomes ready here.
  expect(await rotate()).toBe(60)
  expect(await validities()).toEqual([60, 60, undefined])
  expect(await rotate(7_200n)).toBe(120)
  expect(await validities()).toEqual([60, 60, 120, undefined])
  await agent.rollback({ revision: 1 }).catch(() => {})
  expect(await validities()).toEqual([60, 60, 120, undefined])
  expect(await rotate(0n)).toBeUndefined()
  const unknown = 'ingest_token_unknown'
  expect(await validities()).toEqual([unknown, unknown, unknown, unknown, undefined])
  await rotate(600n)
  await agent.undeploy()
  expect(await validities()).toEqual(Array(6).fill(unknown))
})

test('a grace time beyond a day is refused', async () => {
  const agent = agentOf(deployer, owner, 'graced-long')
  await agent.register()
  await agent.deploy()
  await expect(agent.rotate(86_401n)).rejects.toThrow('grace must be from 0 to 86400')
})

test('a deployment has at most eight former tokens, and none without telemetry', async () => {
  const agent = agentOf(deployer, owner, 'graced-often')
  await agent.register()
  await agent.deploy()
  const { deployment_id: id } = await deployer.db
    .selectFrom('deployment')
    .select('id as deployment_id')
    .where('agent', '=', agent.name)
    .executeTakeFirstOrThrow()
  const replace = async (index: number) => {
    const token = Buffer.alloc(32, index)
    await keepFormerToken(deployer.db, id, { ms: 600_000 })
    await updateDeployment(deployer.db, id, { ingest_token_sha256: token })
  }
  for (let index = 0; index < 10; index += 1) await replace(index)
  const formers = async () =>
    await deployer.db
      .selectFrom('former_ingest_token')
      .select('token_sha256')
      .where('deployment_id', '=', id)
      .orderBy('replace_time')
      .execute()
  const firsts = (await formers()).map(({ token_sha256: hash }) => hash[0])
  expect(firsts).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  await agent.deploy({}, { overridesJson: '{"observability.enabled": false}' })
  expect(await formers()).toEqual([])
})
