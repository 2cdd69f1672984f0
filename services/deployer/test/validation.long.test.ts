import { readRemoteError } from '@slipway/shared/rpc'
import { rounds } from '@slipway/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { outcomeOf, startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { snapshot, untilSettled } from './support/snapshot.ts'
import { FULL_SPEC } from './support/specs.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer({
    MESSAGING_IMAGE: 'registry.example/m:1',
    MESSAGING_ADAPTERS: 'web',
  })
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** Returns the problems that a deploy failed with, or `valid`. */
async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'valid',
    (error: unknown) => {
      const { reason, violations } = readRemoteError(error)
      return reason === 'validation_failed' ? violations : reason
    },
  )
}

/** Returns everything that a validation could change: numbers of rows, and the agent's objects. */
async function traces(agent: ReturnType<typeof agentOf>): Promise<unknown[]> {
  const { db, cluster } = deployer
  const state = await agent.get().catch(() => undefined)
  if (state) await untilSettled(cluster, state.k8sNamespace)
  const rows = await Promise.all([
    db.selectFrom('deployment').select('id').execute(),
    db.selectFrom('revision').select('revision').execute(),
    db.selectFrom('cluster_object').select('name').execute(),
  ])
  // Pods change without any deploy.
  const objects = Object.entries(state ? await snapshot(cluster, state.k8sNamespace) : {})
  return [...rows.map(({ length }) => length), objects.filter(([name]) => !name.startsWith('Pod/'))]
}

/** Generates mostly `right`, so that many requests are valid as a whole. */
const mostly = <Value>(right: Value, ...wrong: Value[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  )

const requests = fc.record({
  credentials: fc.record({
    API_TOKEN: mostly('token-value', ''),
    OPENAI_API_KEY: mostly('key-value', ''),
    EXTRA_TOKEN: fc.constantFrom('', 'extra-value'),
  }),
  stray: mostly<Record<string, string>>({}, { UNKNOWN: 'x' }, { 'not a name': 'x' }),
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

test('a validation finds the same problems as the deploy, and writes nothing', async () => {
  let index = 0
  const verdicts: unknown[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: 3 }), async (sequence) => {
      const agent = agentOf(deployer, owner, `agreed-${index++}`)
      await agent.register('b1', FULL_SPEC)
      for (const { credentials: known, stray, interfaces, schedules, overrides } of sequence) {
        const credentials = { ...known, ...stray }
        const more = {
          interfaces: { names: interfaces },
          schedules: { schedules },
          overridesJson: JSON.stringify(overrides),
        }
        const validate = async (dryRunServer: boolean) => {
          const target = {
            account: owner.account,
            name: agent.name,
            userCredentials: credentials,
            ...more,
          }
          const { valid, violations } = await deployer.deployments.validateDeployment(
            { target, dryRunServer },
            owner.options,
          )
          return valid
            ? 'valid'
            : violations.map(({ field, description }) => ({ field, description }))
        }
        const before = await traces(agent)
        const verdict = await validate(false)
        verdicts.push(verdict)
        expect(await validate(true)).toEqual(verdict)
        expect(await traces(agent)).toEqual(before)
        expect(await refusalOf(agent.deploy(credentials, more))).toEqual(verdict)
      }
      // The node has no room for the pods of all agents.
      expect(['won', 'deployment_not_found']).toContain(await outcomeOf(agent.undeploy()))
    }),
    { numRuns: rounds(10) },
  )
  // At least one request must have been valid.
  expect(verdicts).toContain('valid')
})
