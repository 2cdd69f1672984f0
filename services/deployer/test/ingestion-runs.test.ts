import { IngestionRunState, IngestionTrigger } from '@slipway/proto/slipway/deployer/v1/ingestion'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, failure, ROLLOUT_SECONDS } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'

const NEVER = '0 0 29 2 *'
const MISSING = 'slipway.local/no-such-image:1'
/** For the test that waits for it; a busy node may take longer to start a run. */
const START_SECONDS = 20

let image: string
let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
  image = await pauseImage(deployer.cluster)
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const specOf = (ingestionImage: string) => `spec: astro/v1
name: runs
agent: {image: "${image}"}
ingestion:
  docs: {container: {image: "${ingestionImage}"}, trigger: {type: manual}}
  nightly: {container: {image: "${ingestionImage}"}, trigger: {type: schedule}}
`

const SCHEDULES = { schedules: { schedules: { nightly: NEVER } } }

/** The calls of a person on an agent and its ingestions. */
function ofAgent(name: string, on = deployer, by = owner) {
  const agent = agentOf(on, by, name)
  const { account, options } = by
  const { ingestions } = on
  const target = { account, name }
  return {
    ...agent,
    list: async () => (await ingestions.listIngestions(target, options)).ingestions,
    start: async (ingestion: string) =>
      (await ingestions.startIngestionRun({ ...target, ingestion }, options)).run,
    runs: async (ingestion: string, page = {}) =>
      await ingestions.listIngestionRuns({ ...target, ingestion, ...page }, options),
    cancel: async (ingestion: string, run: string) =>
      (await ingestions.cancelIngestionRun({ ...target, ingestion, run }, options)).run,
    suspend: async (ingestion: string, suspended: boolean) =>
      (await ingestions.suspendIngestion({ ...target, ingestion, suspended }, options)).ingestion,
    objects: agent.list,
  }
}

/** Deploys an agent whose ingestions have this image. */
async function deployed(name: string, ingestionImage: string, on = deployer, by = owner) {
  const agent = ofAgent(name, on, by)
  await agent.register('b1', specOf(ingestionImage))
  const result = await agent.deploy({}, SCHEDULES, ROLLOUT_SECONDS)
  expect(result.errors).toEqual([])
  return { ...agent, namespace: result.k8sNamespace }
}

type Deployed = Awaited<ReturnType<typeof deployed>>

async function untilState(
  agent: Deployed,
  ingestion: string,
  state: IngestionRunState,
): Promise<void> {
  const isThere = async () => (await agent.runs(ingestion)).runs[0]?.state === state
  await waitFor(isThere, { what: `a run in the state ${state}` })
}

async function componentOf(agent: Deployed, name: string) {
  return (await agent.get())?.components.find((component) => component.name === name)
}

test('runs are started by hand, listed and canceled', async () => {
  const agent = await deployed('by-hand', image)
  expect(await agent.list()).toMatchObject([
    { name: 'docs', trigger: IngestionTrigger.MANUAL, schedule: '', timeZone: '' },
    { name: 'nightly', trigger: IngestionTrigger.SCHEDULE, schedule: NEVER, timeZone: 'UTC' },
  ])
  const run = await agent.start('nightly')
  expect(run).toMatchObject({ trigger: IngestionTrigger.MANUAL, revision: 1, attempts: 0 })
  // Two runs of a scheduled ingestion never overlap; those of a manual one may.
  expect(await outcomeOf(agent.start('nightly'))).toBe('ingestion_running')
  expect(await outcomeOf(agent.start('docs'))).toBe('won')
  expect(await outcomeOf(agent.start('docs'))).toBe('won')
  expect(await outcomeOf(agent.start('other'))).toBe('ingestion_not_found')
  expect(await outcomeOf(agent.trigger(agent.namespace, 'nightly'))).toBe('ingestion_not_manual')
  const first = await agent.runs('docs', { pageSize: 1 })
  const second = await agent.runs('docs', { pageSize: 1, pageToken: first.nextPageToken })
  expect(second.runs).toHaveLength(1)
  expect(second.runs[0]?.name).not.toBe(first.runs[0]?.name)
  expect(second.nextPageToken).toBe('')

  await untilState(agent, 'nightly', IngestionRunState.RUNNING)
  expect((await agent.runs('nightly')).runs).toMatchObject([
    { name: run?.name, attempts: 1, pod: expect.stringContaining(run?.name ?? '-') },
  ])
  expect(await outcomeOf(agent.cancel('nightly', 'other'))).toBe('ingestion_run_not_found')
  const canceled = {
    name: run?.name,
    state: IngestionRunState.CANCELED,
    reason: 'a member canceled it',
    endTime: expect.anything(),
  }
  expect(await agent.cancel('nightly', run?.name ?? '')).toMatchObject(canceled)
  expect(await agent.cancel('nightly', run?.name ?? '')).toMatchObject(canceled)
  await waitFor(async () => (await outcomeOf(agent.start('nightly'))) === 'won', {
    what: 'the canceled Job to be gone',
  })
  expect(await agent.get()).toMatchObject({ state: DeploymentState.READY })
})

test('a webhook has no runs', async () => {
  const agent = ofAgent('webhook')
  const hook = `{container: {image: "${image}", port: 8090}, trigger: {type: webhook}}`
  await agent.register('b1', `${specOf(image)}  hook: ${hook}\n`)
  await agent.deploy({}, SCHEDULES)
  expect((await agent.list())[1]).toMatchObject({ trigger: IngestionTrigger.WEBHOOK })
  expect((await failure(agent.start('hook'))).message).toContain('send a request to its webhook')
})

test('a schedule stays suspended over deploys until it is resumed', async () => {
  const agent = await deployed('suspended', image)
  const suspensions = async () =>
    (await agent.objects('CronJob', agent.namespace)).map(({ spec }) => spec?.['suspend'])
  const nextRun = async () =>
    (await agent.list()).find(({ name }) => name === 'nightly')?.nextRunTime
  expect(await suspensions()).toEqual([false])
  expect(await nextRun()).toBeDefined()
  expect(await outcomeOf(agent.suspend('docs', true))).toBe('ingestion_not_scheduled')
  expect(await agent.suspend('nightly', true)).toMatchObject({ suspended: true })
  expect(await suspensions()).toEqual([true])
  expect(await nextRun()).toBeUndefined()
  await agent.register('b2', `${specOf(image)}meta: {description: another build}\n`)
  expect(await agent.deploy({}, {})).toMatchObject({ revision: 2 })
  expect(await suspensions()).toEqual([true])
  expect(await agent.suspend('nightly', false)).toMatchObject({ suspended: false })
  expect(await suspensions()).toEqual([false])
  expect(await agent.deploy({}, {})).toMatchObject({ revision: 2 })
  expect(await suspensions()).toEqual([false])
})

test('a run that cannot start fails its component, then ends, and the next starts', async () => {
  await using impatient = await startTestDeployer({
    MAX_INGESTION_START_SECONDS: String(START_SECONDS),
  })
  const agent = await deployed('stuck', MISSING, impatient, await impatient.signIn('owner'))
  const ended = new AbortController()
  const events: { type: DeploymentEventType; reason: string }[] = []
  const reading = (async () => {
    for await (const { type, reason } of agent.watch(ended.signal)) events.push({ type, reason })
  })()
  const run = await agent.start('nightly')
  await waitFor(
    async () =>
      (await componentOf(agent, 'ingestion-nightly'))?.state === DeploymentState.FAILED &&
      (await agent.get())?.state === DeploymentState.DEGRADED,
    { what: 'the component to fail' },
  )
  expect((await componentOf(agent, 'ingestion-nightly'))?.reason).toMatch(/Err|BackOff/)
  expect(await componentOf(agent, 'agent')).toMatchObject({ state: DeploymentState.READY })
  await untilState(agent, 'nightly', IngestionRunState.FAILED)
  const { runs } = await agent.runs('nightly')
  expect(runs[0]?.reason).toMatch(new RegExp(`^it did not start within ${START_SECONDS} s: `))
  const failed = () => events.find(({ type }) => type === DeploymentEventType.INGESTION_FAILED)
  await waitFor(failed, { what: 'the event' })
  expect(failed()?.reason).toBe(
    `ingestion-nightly: the run ${run?.name} failed: ${runs[0]?.reason}`,
  )
  ended.abort()
  await reading.catch(() => {})
  await waitFor(async () => (await outcomeOf(agent.start('nightly'))) === 'won', {
    what: 'the next run to start',
  })

  // A revision that repairs the ingestion ends the run of the one before.
  await agent.register('b2', specOf(image))
  await agent.deploy({}, {})
  await untilState(agent, 'nightly', IngestionRunState.CANCELED)
  await waitFor(async () => (await agent.get())?.state === DeploymentState.READY, {
    what: 'the deployment to be ready',
  })
  expect((await agent.runs('nightly')).runs).toMatchObject([
    {
      state: IngestionRunState.CANCELED,
      reason: expect.stringContaining('newer revision'),
      revision: 1,
    },
    { state: IngestionRunState.FAILED, revision: 1 },
  ])
})

test('keeps the last 100 runs of an ingestion', async () => {
  const agent = await deployed('kept', image)
  const { id } = await deployer.db
    .selectFrom('deployment')
    .select('id')
    .where('k8s_namespace', '=', agent.namespace)
    .executeTakeFirstOrThrow()
  const former = Array.from({ length: 130 }, (_, index) => ({
    deployment_id: id,
    job_uid: `former-${index}`,
    component: 'ingestion-docs',
    name: `former-${index}`,
    trigger: 'schedule' as const,
    state: 'succeeded' as const,
    revision: 1,
    create_time: new Date(index),
  }))
  await deployer.db.insertInto('ingestion_run').values(former).execute()
  const run = await agent.start('docs')
  const names = async () => {
    const first = await agent.runs('docs', { pageSize: 100 })
    return first.nextPageToken === '' ? first.runs.map(({ name }) => name) : undefined
  }
  const kept = await waitFor(names, { what: 'old runs to be deleted' })
  const expected = Array.from({ length: 99 }, (_, index) => `former-${129 - index}`)
  expect(kept).toEqual([run?.name, ...expected])
})
