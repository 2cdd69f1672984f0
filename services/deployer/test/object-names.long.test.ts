import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { agentOf, statusesOf } from './support/agents.ts'
import type { Person, TestDeployer } from './support/deployer.ts'
import { startFullDeployer } from './support/full-deployer.ts'
import { FULL_CHOICES, FULL_CREDENTIALS, FULL_SPEC } from './support/specs.ts'

const LONG = 'x'.repeat(62)
/** An OCI tag: up to 128 characters, which is too long for a label. */
const LONG_BUILD = `B${'_.x-'.repeat(31)}end`

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  ;({ deployer, owner } = await startFullDeployer())
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

describe('the API server accepts all objects of', () => {
  test.each([
    ['an agent whose name begins with a digit', '9lives', 'b1'],
    ['an agent with a single digit as name', '7', 'b1'],
    ['an agent with dots and underscores', 'my.agent_v2', 'b1'],
    ['an agent with the longest name', 'y'.repeat(63), 'b1'],
    ['a build with the longest id', 'long-build', LONG_BUILD],
    ['an agent and a build with long names', `9${'.z'.repeat(31)}`, LONG_BUILD],
  ])('%s', async (_, name, buildId) => {
    const agent = agentOf(deployer, owner, name)
    await agent.register(buildId, FULL_SPEC)
    const answer = await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES)
    expect(answer).toMatchObject({ status: DeployStatus.SUCCESS, errors: [], buildId })
    expect(statusesOf(answer)).toEqual(new Set([ResourceStatus.CREATED]))
    const { jobName } = await agent.trigger(answer.k8sNamespace, 'docs')
    expect(jobName.length).toBeLessThanOrEqual(63)
    const [deployment] = await agent.list('Deployment', answer.k8sNamespace)
    expect(deployment?.metadata.annotations?.['slipway.dev/build-id']).toBe(buildId)
  })

  test('two agents whose names differ only after the limit', async () => {
    const [one, two] = [agentOf(deployer, owner, `${LONG}b`), agentOf(deployer, owner, `${LONG}c`)]
    const answers = []
    for (const agent of [one, two]) {
      await agent.register('b1', FULL_SPEC)
      answers.push(await agent.deploy(FULL_CREDENTIALS, FULL_CHOICES))
    }
    expect(answers.map(({ errors }) => errors)).toEqual([[], []])
    expect(new Set(answers.map(({ k8sNamespace }) => k8sNamespace)).size).toBe(2)
    const hosts = answers.flatMap(({ serviceEndpoints }) => serviceEndpoints.map(({ url }) => url))
    expect(new Set(hosts).size).toBe(hosts.length)
  })

  test('components whose names differ only after the limit', async () => {
    const agent = agentOf(deployer, owner, 'entries')
    const spec = `spec: astro/v1
name: entries
agent: {image: registry.example/a:1, port: 8080}
knowledge:
  ${LONG}b: {provider: redis, persistent: true}
  ${LONG}c: {provider: redis, persistent: true}
ingestion:
  ${LONG}d: {container: {image: registry.example/d:1}, trigger: {type: startup}}
  ${LONG}e: {container: {image: registry.example/e:1}, trigger: {type: startup}}
`
    await agent.register('b1', spec)
    const answer = await agent.deploy({})
    expect(answer).toMatchObject({ status: DeployStatus.SUCCESS, errors: [] })
    expect(await agent.list('StatefulSet', answer.k8sNamespace)).toHaveLength(2)
    expect(await agent.list('Job', answer.k8sNamespace)).toHaveLength(2)
    const again = await agent.deploy({})
    expect(statusesOf(again)).toEqual(new Set([ResourceStatus.UNCHANGED]))
  })
})
