import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { keyOf } from '../src/domain/kubernetes-object.ts'
import { objectPath } from '../src/kubernetes/paths.ts'
import { LimitFiles, usageOf } from './support/account-limits.ts'
import { agentOf, failure, type Seen } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let files: LimitFiles
let deployer: TestDeployer
beforeAll(async () => {
  files = new LimitFiles()
  deployer = await startTestDeployer(await files.write({ ingestion_runs: 3, cpu: 4 }))
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})

const SPEC = `spec: astro/v1
name: runs
agent: {image: registry.example/a:1}
ingestion:
  docs: {container: {image: registry.example/i:1}, trigger: {type: manual}}
  large: {container: {image: registry.example/i:1}, trigger: {type: manual}}
`
const SIZES = {
  'ingestion.docs.resources.limits.cpu': '100m',
  'ingestion.large.resources.limits.cpu': '2',
}

async function deployed(owner: Person) {
  const agent = agentOf(deployer, owner, 'runs')
  await agent.register('b1', SPEC)
  const { k8sNamespace: namespace } = await agent.deploy(
    {},
    { overridesJson: JSON.stringify(SIZES) },
  )
  return { agent, namespace }
}

/** Ends runs, whose images don't exist. */
async function endAll(runs: readonly Seen[]): Promise<void> {
  for (const run of runs) {
    await deployer.cluster.send({
      method: 'PATCH',
      path: objectPath(keyOf(run)),
      contentType: 'application/merge-patch+json',
      body: { spec: { activeDeadlineSeconds: 1 } },
    })
  }
}

const hasEnded = ({ status }: Seen) =>
  ((status?.['conditions'] ?? []) as { type: string }[]).some(({ type }) => type === 'Failed')

test('an account at its limit of runs starts no more, and others do', async () => {
  const attacker = await deployer.signIn('attacker')
  const bystander = await deployer.signIn('bystander')
  const { agent, namespace } = await deployed(attacker)
  const other = await deployed(bystander)
  const replica = deployer.clientsOf(await deployer.startReplica())
  const second = agentOf({ ...deployer, ...replica }, attacker, 'runs')
  const attacks = Array.from({ length: 8 }, (_, index) =>
    outcomeOf((index % 2 ? agent : second).trigger(namespace, 'docs')),
  )
  expect(await outcomeOf(other.agent.trigger(other.namespace, 'docs'))).toBe('won')
  expect(Object.groupBy(await Promise.all(attacks), (outcome) => outcome)).toMatchObject({
    won: { length: 3 },
    too_many_ingestions: { length: 5 },
  })
  const jobs = await agent.list('Job', namespace)
  expect(jobs).toHaveLength(3)
  expect(await usageOf(deployer, attacker)).toMatchObject({ ingestion_runs: 3 })
  expect((await failure(agent.trigger(namespace, 'docs'))).message).toBe(
    'limit ingestion_runs (manual ingestions that run at the same time): ' +
      'the account uses 3 of 3, and this needs 1 more; ' +
      'wait until a run has ended, or ask the operator for a higher limit',
  )
  await endAll(jobs)
  await waitFor(async () => (await agent.list('Job', namespace)).every(hasEnded), {
    what: 'the runs to end',
  })
  expect(await outcomeOf(agent.trigger(namespace, 'docs'))).toBe('won')
})

test('a second run of an ingestion needs room for its CPUs', async () => {
  const { agent, namespace } = await deployed(await deployer.signIn('large'))
  // The agent has 1 CPU, and one run of each ingestion 0.1 and 2.
  expect(await outcomeOf(agent.trigger(namespace, 'large'))).toBe('won')
  const error = await failure(agent.trigger(namespace, 'large'))
  expect(error).toMatchObject({ reason: 'too_many_ingestions' })
  expect(error.message).toContain('uses 3.1 of 4 CPUs, and this needs 2 more')
  expect(await outcomeOf(agent.trigger(namespace, 'docs'))).toBe('won')
})

test('keeps the last ten finished runs of an ingestion', async () => {
  const owner = await deployer.signIn('keeper')
  const many = await deployer.startReplica({}, await files.write({ ingestion_runs: 12 }))
  const { namespace } = await deployed(owner)
  const agent = agentOf({ ...deployer, ...deployer.clientsOf(many) }, owner, 'runs')
  const started = Array.from({ length: 12 }, () => agent.trigger(namespace, 'docs'))
  await Promise.all(started)
  await endAll(await agent.list('Job', namespace))
  await waitFor(async () => (await agent.list('Job', namespace)).every(hasEnded), {
    what: 'the runs to end',
  })
  await agent.trigger(namespace, 'docs')
  const remaining = async () => (await agent.list('Job', namespace)).map(hasEnded)
  await waitFor(async () => (await remaining()).length === 11, { what: 'old runs to be deleted' })
  expect((await remaining()).filter((ended) => !ended)).toHaveLength(1)
})
