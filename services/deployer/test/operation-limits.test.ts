import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { startTestDeployer, type TestDeployer } from './support/deployer.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five']

/** Holds the deploys that reach the cluster while it is set. */
let gate: PromiseWithResolvers<void> | undefined
let heldCount = 0

let deployer: TestDeployer
beforeAll(async () => {
  deployer = await startTestDeployer(
    { MAX_OPERATIONS_PER_USER: '2' },
    {
      onStep: async (step) => {
        if (step !== 'intent_stored' || gate === undefined) return
        heldCount += 1
        await gate.promise
      },
    },
  )
})
afterAll(async () => {
  gate?.resolve()
  await deployer[Symbol.asyncDispose]()
})

test('deploys of one user run some at a time, and do not delay those of others', async () => {
  const [mallory, alice] = [await deployer.signIn('mallory'), await deployer.signIn('alice')]
  const agents = NAMES.map((name) => agentOf(deployer, mallory, name))
  const own = agentOf(deployer, alice, 'own')
  for (const agent of [...agents, own]) await agent.register()

  const held = (gate = Promise.withResolvers<void>())
  const deploys = agents.map(async (agent) => await agent.deploy({ API_TOKEN: 'x' }))
  await waitFor(async () => heldCount >= 2, { what: 'deploys to reach the cluster' })
  gate = undefined
  expect((await own.deploy({ API_TOKEN: 'x' })).errors).toEqual([])
  expect(heldCount).toBe(2)

  held.resolve()
  const results = await Promise.all(deploys)
  expect(results.map(({ revision, errors }) => [revision, errors])).toEqual(
    NAMES.map(() => [1, []]),
  )
})
