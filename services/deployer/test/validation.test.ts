import { readRemoteError } from '@slipway/shared/rpc'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './deployer.ts'
import { FULL_SPEC } from './specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer({ MESSAGING_IMAGE: 'registry.example/m:1', MESSAGING_ADAPTERS: 'web' })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** What a check found: nothing, or all that is wrong. */
async function verdictOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'valid',
    (error: unknown) => {
      const { reason, violations } = readRemoteError(error)
      return { reason, violations }
    },
  )
}

async function traces(): Promise<number[]> {
  const { db } = deployer
  const rows = await Promise.all([
    db.selectFrom('deployment').select('id').execute(),
    db.selectFrom('revision').select('revision').execute(),
    db.selectFrom('cluster_object').select('name').execute(),
  ])
  return rows.map(({ length }) => length)
}

/** Mostly what is right, so that a request as a whole often is. */
const mostly = <Value>(right: Value, ...wrong: Value[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: fc.constantFrom(...wrong) })

const requests = fc.record({
  credentials: fc.record({
    API_TOKEN: mostly('token-value', ''),
    OPENAI_API_KEY: mostly('key-value', ''),
    EXTRA: fc.constantFrom('', 'extra-value'),
    'not a name': mostly('', 'x'),
  }),
  interfaces: mostly<string[]>(['web'], [], ['slack'], ['web', 'pigeon']),
  schedules: mostly<Record<string, string>>(
    { nightly: '0 3 * * *' },
    {},
    { nightly: '@daily' },
    { nightly: '0 3 * * *', docs: '0 3 * * *' },
  ),
  overrides: mostly<object>(
    { 'agent.replicas': 2 },
    {},
    { 'agent.replicas': -1, 'agent.image': 'x' },
    { 'knowledge.cache.storage.size': 'large' },
  ),
})

test('what validation says, deploy says; and validation writes nothing', { timeout: 240_000 }, async () => {
  let index = 0
  await fc.assert(
    fc.asyncProperty(requests, async ({ credentials, interfaces, schedules, overrides }) => {
      const agent = agentOf(deployer, owner, `agreed-${index++}`)
      await agent.register('b1', FULL_SPEC)
      const more = {
        interfaces: { names: interfaces },
        schedules: { schedules },
        overridesJson: JSON.stringify(overrides),
      }
      const before = await traces()
      const said = await verdictOf(
        deployer.deployments.validateDeployment(
          { target: { account: owner.account, name: agent.name, userCredentials: credentials, ...more } },
          owner.options,
        ),
      )
      expect(await traces()).toEqual(before)
      expect(await verdictOf(agent.deploy(credentials, more))).toEqual(said)
    }),
    { numRuns: 40 },
  )
})
