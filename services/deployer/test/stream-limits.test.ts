import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, failure, ROLLOUT_SECONDS } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { pauseImage } from './support/pause-image.ts'

/** More than the deployer's connections for requests that aren't streams. */
const FOLLOWERS = 70

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer({
    MAX_STREAMS_PER_USER: String(FOLLOWERS),
    MAX_STREAMS_PER_ACCOUNT: '500',
  })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('log streams are limited and do not block deploys', async () => {
  const agent = agentOf(deployer, owner, 'followed')
  const image = await pauseImage(deployer.cluster)
  await agent.register('b1', `spec: astro/v1\nname: followed\nagent: {image: "${image}"}\n`)
  const { k8sNamespace: namespace } = await agent.deploy({}, {}, ROLLOUT_SECONDS)
  const pod = await agent.podName()
  const follow = (signal: AbortSignal) =>
    deployer.workloads
      .streamLogs(
        { account: owner.account, namespace, pod, follow: true },
        { ...owner.options, signal },
      )
      [Symbol.asyncIterator]()
  const open = Array.from({ length: FOLLOWERS }, () => new AbortController())
  // The first message shows that the stream has its slot.
  await Promise.all(open.map(async ({ signal }) => await follow(signal).next()))

  const more = new AbortController()
  expect(await failure(follow(more.signal).next())).toMatchObject({
    reason: 'too_many_streams',
    retryAfterMs: 5_000,
  })
  expect(await failure(agent.watch(more.signal)[Symbol.asyncIterator]().next())).toMatchObject({
    reason: 'too_many_streams',
  })
  const config = { account: owner.account, namespace, name: 'not-there' }
  expect(
    await failure(deployer.workloads.getConfigMap(config, { ...owner.options, timeoutMs: 30_000 })),
  ).toMatchObject({
    reason: 'config_map_not_found',
  })
  expect((await agent.deploy({}, {}, ROLLOUT_SECONDS)).errors).toEqual([])

  open[0]?.abort()
  await waitFor(
    async () => {
      const first = agent.watch(more.signal)[Symbol.asyncIterator]().next()
      return await first.then(
        ({ value }) => value?.type === DeploymentEventType.SNAPSHOT,
        () => false,
      )
    },
    { what: 'a place to be free' },
  )
  more.abort()
  for (const each of open) each.abort()
})
