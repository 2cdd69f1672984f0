import { connectNats, startDurableConsumer } from '@slipway/shared/events'
import { createLogger } from '@slipway/shared/logger'
import { replayEvents } from '@slipway/shared/database-commands'
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

test('publishes events in order, after an outage of NATS, and again on demand', async () => {
  const logger = createLogger('test', 'silent')
  await using nats = connectNats({ url: deployer.nats.url, name: 'test', logger })
  /** A set, because delivery is at least once: an acknowledgement may get lost with NATS. */
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
  const agent = agentOf(deployer, owner, 'announced')
  await agent.register()
  await agent.deploy()
  await waitFor(() => seen.size === 2, { what: 'the events of the deploy' })
  await deployer.nats.stop()
  await agent.deploy({ API_TOKEN: 'second-secret-value' })
  await agent.undeploy()
  await deployer.nats.start()
  await waitFor(() => seen.size === 6, { what: 'the events of the outage' })
  const expected = [
    'requested announced 1 true',
    'applied announced 1 true',
    'requested announced 2 true',
    'applied announced 2 true',
    'undeploy_requested announced 2 true',
    'undeployed announced 2 true',
  ]
  expect([...seen]).toEqual(expected)

  const database = { service: 'deployer', url: deployer.env['DATABASE_URL'] ?? '' }
  const again = await replayEvents(database, '2026-01-01T00:00:00Z')
  expect(again).toBeGreaterThanOrEqual(expected.length)
  await expect(replayEvents(database, 'yesterday')).rejects.toThrow('replay needs a time')
})
