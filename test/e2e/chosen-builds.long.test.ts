import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseDocument } from 'yaml'

import { request } from '../support/api.ts'
import { readyPods } from '../support/cluster.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'chosen-agent'
const CRASHING = 'crashing-build'
// Without a probe, a container is ready as soon as it runs.
const CRASH = '--import=data:text/javascript,setTimeout(()=>process.exit(3),300)'
let agent: RegisteredAgent

const asAlice = (method: string, path: string, body?: object) =>
  request(method, path, { as: 'alice', ...(body && { body }) })
const below = (path: string) => `/agents/${agent.account}/${NAME}${path}`
const target = (more: object = {}) => ({
  account: agent.account,
  name: NAME,
  user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
  ...more,
})
const deploy = (more: object = {}, query = '') => asAlice('POST', `/deploy${query}`, target(more))
const validate = (more: object = {}, query = '') =>
  asAlice('POST', `/deploy/validate${query}`, target(more))
const publish = (build_id: string, version: string) =>
  asAlice('POST', below('/publish'), { build_id, version })

interface Revision {
  readonly revision: number
  readonly was_ready: boolean
  readonly ready_seconds?: number
}

async function revisions(): Promise<Revision[]> {
  return (await asAlice('GET', below('/deployment/revisions'))).body.revisions
}

async function registerCrashing(): Promise<void> {
  const document = parseDocument(agent.spec)
  document.deleteIn(['agent', 'healthcheck'])
  document.deleteIn(['agent', 'port'])
  const input = { name: 'NODE_OPTIONS', datatype: 'string', default: CRASH }
  document.setIn(['agent', 'inputs', 'options'], input)
  const image: unknown = document.getIn(['agent', 'image'])
  expect(image).toBeTypeOf('string')
  const body = {
    build_id: CRASHING,
    registry: 'oci://registry.example',
    spec_content: document.toString(),
  }
  const { status, text } = await asAlice('POST', below('/register'), body)
  expect([status, text]).toEqual([201, expect.anything()])
}

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  expect((await publish(agent.buildId, '1.0.0')).status).toBe(201)
})
afterAll(async () => {
  await undeploy(agent)
})

test('a response says which build was chosen and why', async () => {
  const first = { build_id: agent.buildId, version: '1.0.0' }
  const newest = await deploy({}, '?wait=120')
  expect([newest.status, newest.body]).toMatchObject([
    200,
    { ...first, build_choice: 'newest build', rollout: { state: 'ready' } },
  ])
  await registerCrashing()
  const later = await validate()
  expect(later.body).toMatchObject({ build_id: CRASHING, build_choice: 'newest build' })
  expect(later.body.version).toBeUndefined()
  const asked = { ...first, build_choice: 'asked for' }
  for (const named of [{ version: '1.0.0' }, { build_id: agent.buildId }, first])
    expect((await validate(named)).body).toMatchObject({ valid: true, ...asked })
  expect((await validate({ build_id: 'current' })).body).toMatchObject({
    ...first,
    build_choice: 'current',
  })
  expect((await asAlice('GET', below('/config?version=1.0.0'))).body).toMatchObject(asked)
  const template = await asAlice('GET', below('/deployment-template?format=json&version=1.0.0'))
  expect(template.body.source.build).toBe(agent.buildId)
  const ofCurrent = await asAlice('GET', below('/config?build_id=current'))
  expect(ofCurrent.body).toMatchObject({ ...first, build_choice: 'current' })
  expect(ofCurrent.body.credentials).toMatchObject([{ key: 'SUPPORT_API_TOKEN' }])
  const current = await asAlice('GET', below('/deployment-template?format=json&build=current'))
  const { source, target: place } = template.body
  expect(current.body).toMatchObject({ source, target: place })
  const refused = await validate({ build_id: CRASHING, version: '1.0.0' })
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    400,
    'version_mismatch',
    `build ${CRASHING} is not published, so it is not version 1.0.0`,
  ])
  const unknown = await deploy({ version: '7.0.0' })
  expect([unknown.status, unknown.body.detail]).toEqual([
    404,
    `version not found: ${agent.account}/${NAME} has no version 7.0.0`,
  ])
})

test('a rollback goes to what was ready, and the current build survives a change', async () => {
  const crashing = await deploy({}, '?wait=1')
  expect(crashing.body).toMatchObject({ build_id: CRASHING, revision: 2 })
  const state = async () => (await asAlice('GET', below('/deployment'))).body.state
  await waitFor(async () => (await state()) === 'failed', { what: 'the agent to crash' })
  const again = await deploy({ overrides: { 'agent.environment.TRY': '2' } }, '?wait=1')
  expect(again.body.revision).toBe(3)
  await waitFor(async () => (await state()) === 'failed', { what: 'the agent to crash again' })
  // It is ready for moments when it is restarted.
  await expect.poll(revisions).toMatchObject([
    { revision: 3, was_ready: false },
    { revision: 2, was_ready: false, restorable: true },
    { revision: 1, was_ready: true, ready_at: expect.stringMatching(/Z$/) },
  ])
  expect((await revisions()).at(-1)?.ready_seconds).toBeGreaterThan(0)

  const back = await asAlice('POST', below('/deployment/rollback?wait=120'))
  expect([back.status, back.body]).toMatchObject([
    200,
    { revision: 4, rolled_back_to: 1, build_id: agent.buildId, version: '1.0.0' },
  ])
  const overrides = { 'agent.resources.limits': { memory: '700Mi' } }
  const changed = await deploy({ build_id: 'current', overrides })
  expect([changed.status, changed.body]).toMatchObject([
    200,
    { revision: 5, build_id: agent.buildId, version: '1.0.0', build_choice: 'current' },
  ])
})

test('yanked builds are only deployed if asked for', async () => {
  expect((await publish(CRASHING, '2.0.0')).status).toBe(201)
  expect((await validate()).body).toMatchObject({ build_id: CRASHING, version: '2.0.0' })
  expect((await asAlice('POST', below('/versions/2.0.0/yank'))).status).toBe(200)
  const first = { build_id: agent.buildId, build_choice: 'newest build' }
  expect((await validate()).body).toMatchObject(first)
  expect((await asAlice('GET', below('/config'))).body).toMatchObject(first)
  expect((await validate({ version: '2.0.0' })).body).toMatchObject({
    build_id: CRASHING,
    build_choice: 'asked for',
    warnings: ['version: 2.0.0 is yanked'],
  })
})

test('a plan lists what would happen to each object, without secrets', async () => {
  const settled = async () => {
    const { body } = await asAlice('GET', below('/deployment'))
    return body.state === 'ready' && body.components[0].pods.length === 1 ? body : undefined
  }
  const { k8s_namespace, components } = await waitFor(settled, { what: 'a single pod' })
  const pod = (await readyPods(k8s_namespace))[0]?.metadata.name
  expect(components[0].pods[0].name).toBe(pod)
  const planOf = async (more: object) => {
    const { status, body, text } = await validate(more, '?dry_run=server')
    expect([status, body.warnings]).toEqual([200, []])
    expect(text).not.toContain(API_TOKEN)
    return body.plan as { kind: string; action: string; fields?: unknown[] }[]
  }
  const current = { build_id: 'current' }
  const same = await planOf(current)
  expect(same.length).toBeGreaterThan(8)
  expect(same.filter(({ action }) => action !== 'unchanged')).toEqual([])

  const update = { strategy: 'rolling', max_unavailable: '25%', max_surge: '50%' }
  const scaled = await planOf({ ...current, overrides: { 'agent.update': update } })
  expect(scaled.filter(({ action }) => action === 'change')).toEqual([
    {
      kind: 'Deployment',
      name: `${NAME}-agent`,
      action: 'change',
      fields: [{ path: 'spec.strategy.rollingUpdate.maxSurge', old: '25%', new: '50%' }],
    },
  ])
  const secret = 'another-token-of-the-plan-0123456789'
  const changed = await planOf({
    ...current,
    user_credentials: { SUPPORT_API_TOKEN: secret },
    overrides: { 'agent.environment.GREETED': `with ${secret}`, 'agent.expose.enabled': true },
  })
  expect(JSON.stringify(changed)).not.toContain(secret)
  const only = (wanted: string) => changed.filter(({ kind }) => kind === wanted)
  expect(only('Secret').map(({ action }) => action)).toContain('create')
  expect(only('Ingress')).toMatchObject([{ action: 'create' }])
  expect(only('Deployment')).toMatchObject([{ action: 'change', restarts: [pod] }])
})

test('after an undeploy, an earlier version can be deployed', async () => {
  await undeploy(agent)
  const plan = await validate({ version: '1.0.0' }, '?dry_run=server')
  expect(plan.body.plan.map(({ action }: { action: string }) => action)).toContain('create')
  expect(new Set(plan.body.plan.map(({ action }: { action: string }) => action)).size).toBe(1)
  const nothing = await validate({ build_id: 'current' })
  expect([nothing.status, nothing.body.code]).toEqual([404, 'deployment_not_found'])
  const earlier = await waitFor(
    async () => {
      const answer = await deploy({ version: '1.0.0' })
      return answer.body.code === 'namespace_terminating' ? undefined : answer
    },
    { what: 'the namespace to be gone' },
  )
  expect([earlier.status, earlier.body]).toMatchObject([
    200,
    { revision: 1, build_id: agent.buildId, version: '1.0.0', build_choice: 'asked for' },
  ])
})
