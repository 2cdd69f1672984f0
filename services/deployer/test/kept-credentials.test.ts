import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { IngestionRunState } from '@slipway/proto/slipway/deployer/v1/ingestion'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { agentOf, contentOf, CREDENTIALS, failure, ROLLOUT_SECONDS } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'
import { ingestionsOf } from './support/ingestions.ts'
import { pauseImage } from './support/pause-image.ts'
import { allowNo } from './support/quotas.ts'
import { PLAIN_SPEC } from './support/specs.ts'

const LARGE = 'x'.repeat(600_000)

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

describe('a kept credential', () => {
  test('is not lost when the cluster rejects its new Secret', async () => {
    const agent = agentOf(deployer, owner, 'kept')
    await agent.register()
    const { k8sNamespace: namespace } = await agent.deploy()
    const allow = await allowNo(deployer.cluster, 'secrets', namespace)
    for (const extra of ['one', 'two']) {
      expect(
        await agent.deploy({ ...CREDENTIALS, EXTRA_TOKEN: `extra-secret-${extra}` }),
      ).toMatchObject({
        status: DeployStatus.PARTIAL,
        errors: [expect.stringMatching(/^Secret\/kept-agent-.*exceeded quota/)],
      })
      expect(await failure(agent.deploy({}))).toMatchObject({
        reason: 'credentials_lost',
        metadata: { keys: 'EXTRA_TOKEN' },
      })
    }
    await allow()
    await waitFor(
      async () =>
        (await agent.deploy({ EXTRA_TOKEN: 'extra-secret-three' })).status === DeployStatus.SUCCESS,
      { what: 'the quota to be gone' },
    )
    expect(contentOf(await agent.list('Secret', namespace))).toEqual(
      expect.arrayContaining([
        `API_TOKEN=${CREDENTIALS.API_TOKEN}`,
        'EXTRA_TOKEN=extra-secret-three',
      ]),
    )
  })
})

test('the Secret of a pod that exists stays, because its log is redacted with it', async () => {
  const agent = ingestionsOf(deployer, owner, 'still-running')
  const image = await pauseImage(deployer.cluster)
  const token = '{name: API_TOKEN, datatype: string, secret: true, description: A token}'
  await agent.register(
    'b1',
    `spec: astro/v1
name: still-running
agent: {image: "${image}"}
ingestion:
  docs:
    container: {image: "${image}"}
    trigger: {type: manual}
    inputs: {token: ${token}}
`,
  )
  const deploy = async (value: string) =>
    (await agent.deploy({ API_TOKEN: value }, {}, ROLLOUT_SECONDS)).k8sNamespace
  const namespace = await deploy('token-of-the-run')
  const stored = async () => contentOf(await agent.objects('Secret', namespace))
  const run = await agent.start('docs')
  await agent.untilState('docs', IngestionRunState.RUNNING)
  for (const later of [2, 3, 4, 5]) await deploy(`token-of-deploy-${later}`)
  expect(await stored()).toContain('API_TOKEN=token-of-the-run')
  expect(await stored()).not.toContain('API_TOKEN=token-of-deploy-2')

  await agent.cancel('docs', run?.name ?? '')
  const podOf = ({ metadata }: { metadata: { name: string } }) =>
    metadata.name.includes('-ingestion-')
  const isGone = async () => !(await agent.objects('Pod', namespace)).some(podOf)
  await waitFor(isGone, { what: 'the pod of the run to be gone' })
  await deploy('token-of-deploy-6')
  expect(await stored()).not.toContain('API_TOKEN=token-of-the-run')
})

describe('credentials that are too large for a Secret', () => {
  test('are rejected before anything is written, whether given or kept', async () => {
    const agent = agentOf(deployer, owner, 'large')
    await agent.register()
    const { k8sNamespace } = await agent.deploy({ ...CREDENTIALS, BIG_1: LARGE })
    const more = { BIG_2: LARGE }
    const violations = [
      {
        field: 'user_credentials',
        description: expect.stringMatching(/^the values for agent are 12000/),
      },
    ]
    expect(await failure(agent.deploy(more))).toMatchObject({
      reason: 'validation_failed',
      violations,
    })
    expect(await agent.validate(more, { dryRunServer: true })).toMatchObject({
      valid: false,
      violations,
    })
    expect(await agent.revisions()).toHaveLength(1)
    expect(await agent.deploy({})).toMatchObject({ status: DeployStatus.SUCCESS, revision: 1 })
    expect(contentOf(await agent.list('Secret', k8sNamespace))).toContain(`BIG_1=${LARGE}`)
  })

  test('are reported by a validation without the cluster when all are given', async () => {
    const agent = agentOf(deployer, owner, 'larger')
    const tool = `tools:
  calculator:
    container:
      image: registry.example/calculator:1
      environment: {ONE: "1\${credentials.API_TOKEN}", TWO: "2\${credentials.API_TOKEN}"}
`
    await agent.register('b1', PLAIN_SPEC + tool)
    expect(await agent.validate({ API_TOKEN: LARGE })).toMatchObject({
      valid: false,
      violations: [
        {
          field: 'user_credentials',
          description: expect.stringMatching(/^the values for tool-calculator are/),
        },
      ],
    })
    expect(await agent.validate(CREDENTIALS)).toMatchObject({ valid: true, buildId: 'b1' })
  })
})
