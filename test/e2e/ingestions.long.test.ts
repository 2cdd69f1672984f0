import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildAgentImage } from '@slipway/agent-image'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { cluster } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'

const NAME = 'ingestions-e2e'
const SECRET = 'a-secret-that-must-not-be-shown'
const AGENT = `require('node:http').createServer((_, answer) => answer.end()).listen(8080)`
/** Fails until its deployment says that it must work. */
const INGESTION = `
for (let line = 1; line <= 30; line++) console.log('line ' + line)
console.log('the token is ' + process.env.API_TOKEN)
process.exitCode = process.env.WORKS === 'yes' ? 0 : 3
`

let directory: string
let account: string
let namespace: string

const path = (below = '') => `/agents/${account}/${NAME}/deployment${below}`
const get = async (below: string) => (await request('GET', path(below), { as: 'alice' })).body
const post = async (below: string) => await request('POST', path(below), { as: 'alice' })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-ingestions-'))
  const folder = join(directory, NAME)
  await mkdir(folder)
  const manifest = { bin: { agent: './agent.cjs', load: './load.cjs' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'agent.cjs'), AGENT)
  await writeFile(join(folder, 'load.cjs'), INGESTION)
  const registry = fromStack('SLIPWAY_REGISTRY')
  const agent = await buildAgentImage(folder, { registry })
  const load = await buildAgentImage(folder, { registry, target: 'load' })
  account = await personalAccount('alice')
  const inputs = `inputs: {token: {name: API_TOKEN, datatype: string, secret: true}}`
  const container = `container: {image: "${load.reference}"}`
  const spec = `spec: astro/v1
name: ${NAME}
agent: {image: "${agent.reference}", port: 8080}
ingestion:
  load: {${container}, trigger: {type: schedule}, ${inputs}}
`
  const build = { build_id: `b${Date.now()}`, registry: `http://${registry}`, spec_content: spec }
  const registered = await request('POST', `/agents/${account}/${NAME}/register`, {
    as: 'alice',
    body: build,
  })
  expect(registered.status).toBe(201)
})
afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account, name: NAME } })
  await rm(directory, { recursive: true })
})

const deploy = async (body: object) => {
  const target = { account, name: NAME, ...body }
  const { status, body: answer } = await request('POST', '/deploy?wait=120', {
    as: 'alice',
    body: target,
  })
  expect([status, answer.errors]).toEqual([200, []])
  namespace = answer.k8s_namespace
}

/** Starts a run with a single attempt, and waits until it has ended. */
async function runOnce() {
  const { status, body: run } = await post('/ingestions/load/runs')
  expect([status, run.trigger, run.state]).toEqual([200, 'manual', 'pending'])
  const job = `/apis/batch/v1/namespaces/${namespace}/jobs/${run.name}`
  const single = { spec: { backoffLimit: 0 } }
  await cluster.call('PATCH', job, single, 'application/merge-patch+json')
  return await waitFor(
    async () => {
      const { runs } = await get('/ingestions/load/runs')
      const [last] = runs
      return ['succeeded', 'failed'].includes(last.state) && last.name === run.name
        ? last
        : undefined
    },
    { what: 'the run to end' },
  )
}

test('a failing run says why, and degrades the deployment until one succeeds', async () => {
  const schedule = '30 2 1 1 *'
  await deploy({ schedules: { load: schedule }, user_credentials: { API_TOKEN: SECRET } })
  const [before] = (await get('/ingestions')).ingestions
  expect(before).toEqual({
    name: 'load',
    trigger: 'schedule',
    schedule,
    time_zone: 'UTC',
    suspended: false,
    next_run_at: expect.stringMatching(/^\d{4}-01-01T02:30:00\.000Z$/),
  })
  const failed = await runOnce()
  expect(failed).toMatchObject({
    state: 'failed',
    reason: 'its only attempt failed; the last exit code is 3',
    exit_code: 3,
    attempts: 1,
    revision: 1,
    started_at: expect.any(String),
    ended_at: expect.any(String),
  })
  expect(failed.last_lines).toEqual([
    ...Array.from({ length: 19 }, (_, index) => `line ${index + 12}`),
    'the token is [redacted]',
  ])
  const degraded = await waitFor(
    async () => {
      const deployment = await get('')
      return deployment.state === 'degraded' ? deployment : undefined
    },
    { what: 'the deployment to be degraded' },
  )
  expect(degraded.reason).toContain('exited with code 3')
  expect(
    degraded.components.map(({ name, state }: Record<string, string>) => [name, state]),
  ).toEqual([
    ['agent', 'ready'],
    ['ingestion-load', 'failed'],
  ])
  expect((await get('/ingestions')).ingestions[0].last_run).toMatchObject({ name: failed.name })

  // A new revision starts without a verdict, and its runs succeed.
  await deploy({ overrides: { 'ingestion.load.environment.WORKS': 'yes' } })
  expect(await runOnce()).toMatchObject({ state: 'succeeded', exit_code: 0, revision: 2 })
  expect((await get('')).state).toBe('ready')
  const { runs } = await get('/ingestions/load/runs')
  expect(runs.map(({ state }: { state: string }) => state)).toEqual(['succeeded', 'failed'])
})

test('a run that no node has room for degrades the deployment while it waits', async () => {
  const amounts = { cpu: '64', memory: '64Mi' }
  const resources = { requests: amounts, limits: amounts }
  await deploy({ overrides: { 'ingestion.load.resources': resources } })
  expect((await post('/ingestions/load/runs')).status).toBe(200)
  const degraded = await waitFor(
    async () => {
      const deployment = await get('')
      return deployment.failures?.length > 0 ? deployment : undefined
    },
    { what: 'the failure of the run' },
  )
  expect(degraded).toMatchObject({
    state: 'degraded',
    reason: 'Unschedulable: no node has enough free cpu',
    failures: [
      {
        component: 'ingestion-load',
        reason: 'Unschedulable',
        next: [expect.stringContaining('"ingestion.load.resources.requests.cpu" (now 64)')],
      },
    ],
  })
  await deploy({ overrides: { 'ingestion.load.resources': null } })
  expect((await get('')).state).toBe('ready')
})
