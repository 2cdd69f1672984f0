import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { IngestionRunState } from '@slipway/proto/slipway/deployer/v1/ingestion'
import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { outcomeOf, startTestDeployer } from './support/deployer.ts'
import { deployIngestions, ingestionSpec } from './support/ingestions.ts'

const MISSING = 'slipway.local/no-such-image:1'
/** A busy node may take longer to start a run. */
const START_SECONDS = 20

test('a run that cannot start fails its component, then ends, and the next starts', async () => {
  await using deployer = await startTestDeployer({
    MAX_INGESTION_START_SECONDS: String(START_SECONDS),
  })
  const owner = await deployer.signIn('owner')
  const agent = await deployIngestions(deployer, owner, 'stuck', MISSING)
  const componentOf = async (name: string) =>
    (await agent.get())?.components.find((component) => component.name === name)
  const ended = new AbortController()
  const events: { type: DeploymentEventType; reason: string }[] = []
  const reading = (async () => {
    for await (const { type, reason } of agent.watch(ended.signal)) events.push({ type, reason })
  })()
  const run = await agent.start('nightly')
  await waitFor(
    async () =>
      (await componentOf('ingestion-nightly'))?.state === DeploymentState.FAILED &&
      (await agent.get())?.state === DeploymentState.DEGRADED,
    { what: 'the component to fail' },
  )
  expect((await componentOf('ingestion-nightly'))?.reason).toMatch(/Err|BackOff/)
  expect(await componentOf('agent')).toMatchObject({ state: DeploymentState.READY })
  await agent.untilState('nightly', IngestionRunState.FAILED)
  const { runs } = await agent.runs('nightly')
  expect(runs[0]?.reason).toMatch(new RegExp(`^it did not start within ${START_SECONDS} s: `))
  const failed = () => events.find(({ type }) => type === DeploymentEventType.INGESTION_FAILED)
  await waitFor(failed, { what: 'the event' })
  expect(failed()?.reason).toBe(
    `ingestion-nightly: the run ${run?.name} failed: ${runs[0]?.reason}`,
  )
  ended.abort()
  await reading.catch(() => {})
  await waitFor(async () => (await outcomeOf(agent.start('nightly'))) === 'won', {
    what: 'the next run to start',
  })

  // A revision that repairs the ingestion ends the run of the one before.
  await agent.register('b2', await ingestionSpec(deployer))
  await agent.deploy({}, {})
  await agent.untilState('nightly', IngestionRunState.CANCELED)
  await waitFor(async () => (await agent.get())?.state === DeploymentState.READY, {
    what: 'the deployment to be ready',
  })
  expect((await agent.runs('nightly')).runs).toMatchObject([
    {
      state: IngestionRunState.CANCELED,
      reason: expect.stringContaining('newer revision'),
      revision: 1,
    },
    { state: IngestionRunState.FAILED, revision: 1 },
  ])
})
