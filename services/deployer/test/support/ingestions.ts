import type { IngestionRunState } from '@slipway/proto/slipway/deployer/v1/ingestion'
import { waitFor } from '@slipway/testing'
import { expect } from 'vitest'

import { agentOf, ROLLOUT_SECONDS } from './agents.ts'
import type { Person, TestDeployer } from './deployer.ts'
import { pauseImage } from './pause-image.ts'

/** A schedule that is never due. */
export const NEVER = '0 0 29 2 *'

/** What a deploy of an agent with ingestions needs. */
export const SCHEDULES = { schedules: { schedules: { nightly: NEVER } } }

/** The spec of an agent that runs, whose ingestions `docs` and `nightly` have this image. */
export async function ingestionSpec(
  { cluster }: Pick<TestDeployer, 'cluster'>,
  image?: string,
): Promise<string> {
  const pause = await pauseImage(cluster)
  return `spec: astro/v1
name: runs
agent: {image: "${pause}"}
ingestion:
  docs: {container: {image: "${image ?? pause}"}, trigger: {type: manual}}
  nightly: {container: {image: "${image ?? pause}"}, trigger: {type: schedule}}
`
}

/** The calls of a person on an agent and its ingestions. */
export function ingestionsOf(on: TestDeployer, by: Person, name: string) {
  const agent = agentOf(on, by, name)
  const { account, options } = by
  const { ingestions } = on
  const target = { account, name }
  const runs = async (ingestion: string, page = {}) =>
    await ingestions.listIngestionRuns({ ...target, ingestion, ...page }, options)
  return {
    ...agent,
    list: async () => (await ingestions.listIngestions(target, options)).ingestions,
    start: async (ingestion: string) =>
      (await ingestions.startIngestionRun({ ...target, ingestion }, options)).run,
    runs,
    /** Waits until the newest run has a state. */
    untilState: async (ingestion: string, state: IngestionRunState): Promise<void> => {
      const isThere = async () => (await runs(ingestion)).runs[0]?.state === state
      await waitFor(isThere, { what: `a run in the state ${state}` })
    },
    cancel: async (ingestion: string, run: string) =>
      (await ingestions.cancelIngestionRun({ ...target, ingestion, run }, options)).run,
    suspend: async (ingestion: string, suspended: boolean) =>
      (await ingestions.suspendIngestion({ ...target, ingestion, suspended }, options)).ingestion,
    objects: agent.list,
  }
}

/** Deploys an agent whose ingestions have this image, and waits until the agent is ready. */
export async function deployIngestions(on: TestDeployer, by: Person, name: string, image?: string) {
  const agent = ingestionsOf(on, by, name)
  await agent.register('b1', await ingestionSpec(on, image))
  const result = await agent.deploy({}, SCHEDULES, ROLLOUT_SECONDS)
  expect(result.errors).toEqual([])
  return { ...agent, namespace: result.k8sNamespace }
}
