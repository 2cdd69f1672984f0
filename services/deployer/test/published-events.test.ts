import { connectNats, startDurableConsumer } from '@slipway/shared/events'
import { createLogger } from '@slipway/shared/logger'
import { replayEvents } from '@slipway/shared/run-service'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('what happened is published in order, also what happened while NATS was down, and again on demand', async () => {
  const logger = createLogger('test', 'silent')
  await using nats = connectNats({ url: deployer.nats.url, name: 'test', logger })
  /** At least once is what is promised: an acknowledgement can get lost with NATS. */
  const seen = new Set<string>()
  await using _consumer = startDurableConsumer({
    nats,
    logger,
    durable: 'deployer-test',
    filterSubjects: ['slipway.deployment.>'],
    handle: async ({ accountId, payload }, { subject }) => {
      const event = subject.split('.').at(-1) ?? ''
      const ref =
        payload.value && 'deployment' in payload.value ? payload.value.deployment : undefined
      if (event !== 'state_changed')
        seen.add(`${event} ${ref?.agent} ${ref?.revision} ${accountId === owner.accountId}`)
    },
  })
  const agent = agentOf(deployer, owner, 'told')
  await agent.register()
  await agent.deploy()
  await waitFor(() => seen.size === 2, { what: 'the events of the deploy' })
  await deployer.nats.stop()
  await agent.deploy({ API_TOKEN: 'second-secret-value' })
  await agent.undeploy()
  await deployer.nats.start()
  await waitFor(() => seen.size === 6, { what: 'the events of the time without NATS' })
  const told = [
    'requested told 1 true',
    'applied told 1 true',
    'requested told 2 true',
    'applied told 2 true',
    'undeploy_requested told 2 true',
    'undeployed told 2 true',
  ]
  expect([...seen]).toEqual(told)

  const database = { service: 'deployer', url: deployer.env['DATABASE_URL'] ?? '' }
  const again = await replayEvents(database, '2026-01-01T00:00:00Z')
  expect(again).toBeGreaterThanOrEqual(told.length)
  await expect(replayEvents(database, 'yesterday')).rejects.toThrow('replay needs a time')
})
