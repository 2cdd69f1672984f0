import type { MessageInitShape } from '@bufbuild/protobuf'
import type { DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf, CREDENTIALS, failure } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let attacker: Person
let bystander: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  attacker = await deployer.signIn('attacker')
  bystander = await deployer.signIn('bystander')
  await agentOf(deployer, attacker, 'large').register('b1', LARGE_SPEC)
  await agentOf(deployer, bystander, 'bot').register()
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

const SECTIONS = ['models', 'knowledge', 'tools']
const CONTAINERS = Array.from({ length: 50 }, (_, index) => `  c${index}: {container: {image: x}}`)
const LARGE_SPEC = [
  'spec: astro/v1\nname: large\nagent: {image: x}',
  ...SECTIONS.map((section) => `${section}:\n${CONTAINERS.join('\n')}`),
].join('\n')

function several<Value>(count: number, name: string, value: Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, value]))
}
const names = (count: number) => Object.keys(several(count, 'interface-', ''))
const json = (value: unknown) => JSON.stringify(value)

type Attack = MessageInitShape<typeof DeployTargetSchema>

/** Requests as large as the gateway passes on, and the reason and field that they fail with. */
const ATTACKS: readonly (readonly [string, Attack, string, string])[] = [
  [
    '60,000 unknown paths',
    { overridesJson: json(several(60_000, 'p', 1)) },
    'invalid_argument',
    'overrides',
  ],
  [
    '60,000 members of one override',
    { overridesJson: json({ 'agent.resources': several(60_000, 'p', 1) }) },
    'invalid_argument',
    'overrides',
  ],
  [
    '60,000 credentials',
    { userCredentials: several(60_000, 'K', 'x') },
    'invalid_argument',
    'user_credentials',
  ],
  ['1,600 interfaces', { interfaces: { names: names(1_600) } }, 'invalid_argument', 'interfaces'],
  [
    '1,000 references to a credential of 500 kB',
    {
      userCredentials: { LONG: 'x'.repeat(500_000) },
      overridesJson: json({ 'agent.environment.A': '${credentials.LONG}'.repeat(1_000) }),
    },
    'validation_failed',
    'overrides',
  ],
]

test.each(ATTACKS)('%s are rejected, and others are served', async (_, attack, reason, field) => {
  const target = { account: attacker.account, name: 'large', ...attack }
  const own = { account: bystander.account, name: 'bot', userCredentials: CREDENTIALS }
  const attacks = [1, 2, 3, 4].map(async () => {
    for (let round = 0; round < 3; round += 1) {
      const error = await failure(deployer.deployments.deploy({ target }, attacker.options))
      expect(error).toMatchObject({ reason, violations: [{ field }] })
    }
  })
  for (let round = 0; round < 20; round += 1) {
    const answer = await deployer.deployments.validateDeployment({ target: own }, bystander.options)
    expect(answer).toMatchObject({ valid: true, violations: [] })
  }
  await Promise.all(attacks)
})

test('900 problems: 100 are listed, and the response says that there are more', async () => {
  const overridesJson = json(several(900, 'models.c1.no-such-path-', 1))
  const target = { account: attacker.account, name: 'large', overridesJson }
  const { deployments } = deployer
  const answer = await deployments.validateDeployment({ target }, attacker.options)
  expect(answer).toMatchObject({ valid: false, hasMoreViolations: true })
  expect(answer.violations).toHaveLength(100)
  expect(await failure(deployments.deploy({ target }, attacker.options))).toMatchObject({
    reason: 'validation_failed',
    message: expect.stringContaining('it has more than 100 problems'),
  })
})

test('a name of 60,000 characters is truncated in the error', async () => {
  const name = 'x'.repeat(60_000)
  const target = { account: attacker.account, name }
  const { deployments } = deployer
  const errors = await Promise.all([
    failure(deployments.deploy({ target }, attacker.options)),
    failure(deployments.undeploy(target, attacker.options)),
    failure(deployments.getDeployment({ account: name, name }, attacker.options)),
  ])
  const reasons = errors.map(({ reason }) => reason)
  expect(reasons).toEqual(['no_builds', 'deployment_not_found', 'account_not_found'])
  for (const { message } of errors) expect(message.length).toBeLessThan(2_000)
})
