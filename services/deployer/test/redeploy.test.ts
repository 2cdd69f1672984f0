import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { TEMPLATE_HASH_LABEL } from '../src/domain/labels.ts'
import { agentOf, statusesOf, type Seen } from './support/agents.ts'
import type { Person, TestDeployer } from './support/deployer.ts'
import { startFullDeployer } from './support/full-deployer.ts'
import { snapshot, untilSettled } from './support/snapshot.ts'
import { FULL_CHOICES, FULL_CREDENTIALS, FULL_SPEC } from './support/specs.ts'

/** An agent, a webhook, an adapter, a tool, two stores and a Job. */
const PODS = 7

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  ;({ deployer, owner } = await startFullDeployer())
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

async function deployFull(name: string) {
  const agent = agentOf(deployer, owner, name)
  await agent.register('b1', FULL_SPEC)
  const { k8sNamespace: namespace } = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
  await waitFor(async () => (await agent.list('Pod', namespace)).length === PODS, {
    what: 'all pods to be made',
  })
  await untilSettled(deployer.cluster, namespace)
  return { agent, namespace }
}

describe('an identical deploy', () => {
  test.each([
    ['without values', {}, {}],
    ['with the same values', FULL_CREDENTIALS, FULL_CHOICES],
  ])('%s changes no revision, object or pod, and runs no Job', async (_, credentials, choice) => {
    const { agent, namespace } = await deployFull(`same-${Object.keys(credentials).length}`)
    const before = await snapshot(deployer.cluster, namespace)
    const again = await agent.deploy(credentials, choice)
    expect(again).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    expect(statusesOf(again)).toEqual(new Set([ResourceStatus.UNCHANGED]))
    expect(await snapshot(deployer.cluster, namespace)).toEqual(before)
    expect(await agent.revisions()).toHaveLength(1)
  })
})

describe('a validation', () => {
  test('of a live deployment changes nothing, with or without a dry run', async () => {
    const { agent, namespace } = await deployFull('looked-at')
    const before = await snapshot(deployer.cluster, namespace)
    for (const dryRunServer of [false, true]) {
      expect(await agent.validate({ API_TOKEN: 'another-value' }, { dryRunServer })).toMatchObject({
        valid: true,
        warnings: [],
      })
    }
    expect(await snapshot(deployer.cluster, namespace)).toEqual(before)
    expect(await agent.revisions()).toHaveLength(1)
  })
})

describe('a changed credential', () => {
  test.each([
    ['API_TOKEN', ['agent', 'tool-calculator']],
    ['OPENAI_API_KEY', ['agent', 'ingestion-hook', 'ingestion-nightly', 'ingestion-seed']],
    ['EXTRA_TOKEN', ['agent']],
  ])('%s restarts only the pods that use it', async (key, users) => {
    const { agent, namespace } = await deployFull(
      `changed-${key.toLowerCase().replaceAll('_', '-')}`,
    )
    const before = await templateHashes(agent.list, namespace)
    const changed = await agent.deploy({ [key]: 'a-changed-value' })
    expect(changed).toMatchObject({ status: DeployStatus.SUCCESS, revision: 2, errors: [] })
    const after = await templateHashes(agent.list, namespace)
    expect(
      Object.keys(after).filter((component) => after[component] !== before[component]),
    ).toEqual(users)
    const back = await agent.rollback({ revision: 1 })
    expect(back).toMatchObject({ status: DeployStatus.SUCCESS, revision: 3, errors: [] })
    expect(withoutJobs(await templateHashes(agent.list, namespace))).toEqual(withoutJobs(before))
  })
})

/** Returns the hash of each component's pod template; of Jobs, that of the last one. */
async function templateHashes(
  list: (kind: string, namespace: string) => Promise<readonly Seen[]>,
  namespace: string,
): Promise<Record<string, string>> {
  type Spec = {
    template?: { metadata: Labelled }
    jobTemplate?: { spec: { template: { metadata: Labelled } } }
  }
  type Labelled = { labels: Record<string, string> }
  const entries: [string, string][] = []
  for (const kind of ['CronJob', 'Deployment', 'Job', 'StatefulSet']) {
    for (const { metadata, spec } of await list(kind, namespace)) {
      const { template, jobTemplate } = spec as Spec
      const hash = (template ?? jobTemplate?.spec.template)?.metadata.labels[TEMPLATE_HASH_LABEL]
      entries.push([metadata.labels?.['app.kubernetes.io/component'] ?? '', hash ?? ''])
    }
  }
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function withoutJobs(hashes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(hashes).filter(([component]) => component !== 'ingestion-seed'),
  )
}
