import { IngestionRunState, IngestionTrigger } from '@slipway/proto/slipway/deployer/v1/ingestion'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { failure } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import {
  deployIngestions,
  ingestionsOf,
  ingestionSpec,
  NEVER,
  SCHEDULES,
} from './support/ingestions.ts'
import { pauseImage } from './support/pause-image.ts'

// Runs that can't start are in ingestion-start.long.test.ts.

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const deployed = async (name: string) => await deployIngestions(deployer, owner, name)

test('runs are started by hand, listed and canceled', async () => {
  const agent = await deployed('by-hand')
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

  await agent.untilState('nightly', IngestionRunState.RUNNING)
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
  const agent = ingestionsOf(deployer, owner, 'webhook')
  const image = await pauseImage(deployer.cluster)
  const hook = `{container: {image: "${image}", port: 8090}, trigger: {type: webhook}}`
  await agent.register('b1', `${await ingestionSpec(deployer)}  hook: ${hook}\n`)
  await agent.deploy({}, SCHEDULES)
  expect((await agent.list())[1]).toMatchObject({ trigger: IngestionTrigger.WEBHOOK })
  expect((await failure(agent.start('hook'))).message).toContain('send a request to its webhook')
})

test('a schedule stays suspended over deploys until it is resumed', async () => {
  const agent = await deployed('suspended')
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
  const spec = await ingestionSpec(deployer)
  await agent.register('b2', `${spec}meta: {description: another build}\n`)
  expect(await agent.deploy({}, {})).toMatchObject({ revision: 2 })
  expect(await suspensions()).toEqual([true])
  expect(await agent.suspend('nightly', false)).toMatchObject({ suspended: false })
  expect(await suspensions()).toEqual([false])
  expect(await agent.deploy({}, {})).toMatchObject({ revision: 2 })
  expect(await suspensions()).toEqual([false])
})

test('keeps the last 100 runs of an ingestion', async () => {
  const agent = await deployed('kept')
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
