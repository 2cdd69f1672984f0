import { withAdvisoryLock } from '@slipway/shared/db'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { lockKey } from '../src/operations/lock.ts'
import { agentOf, CALL_MS, failure } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer({ MAX_WAITS_PER_USER: '1', LOCK_WAIT_MS: '200000' })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test('a user’s deploys that wait are limited before they change anything', async () => {
  const held = agentOf(deployer, owner, 'held')
  const more = agentOf(deployer, owner, 'one-more')
  for (const agent of [held, more]) await agent.register()
  const bystander = await deployer.signIn('bystander')
  const other = agentOf(deployer, bystander, 'other')
  await other.register()

  const lock = lockKey({ accountId: owner.accountId, agent: held.name })
  const isHeld = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = withAdvisoryLock(deployer.db, lock, {}, async () => {
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  // The first one has the slot while it waits for the lock. A rollback below may have it before.
  const first = waitFor(() => held.deploy({ API_TOKEN: 'x' }, {}, 1), { what: 'the slot' })
  const rollback = async () =>
    await deployer.deployments.rollback(
      { account: owner.account, name: more.name, wait: { seconds: 1n } },
      { ...owner.options, timeoutMs: CALL_MS },
    )
  await waitFor(async () => (await outcomeOf(rollback())) === 'too_many_waits', {
    what: 'the first deploy to have the slot',
  })
  expect(await failure(more.deploy({ API_TOKEN: 'x' }, {}, 1))).toMatchObject({
    reason: 'too_many_waits',
    retryAfterMs: 5_000,
    message: expect.stringContaining('by you (at most 1); retry later'),
  })
  expect(await outcomeOf(more.get())).toBe('deployment_not_found')

  // Without wait, and for others, everything works.
  expect((await more.deploy({ API_TOKEN: 'x' })).errors).toEqual([])
  expect((await other.deploy({ API_TOKEN: 'x' }, {}, 1)).revision).toBe(1)

  release.resolve()
  await holding
  expect((await first).revision).toBe(1)
  expect((await more.deploy({ API_TOKEN: 'y' }, {}, 1)).revision).toBe(2)
})
