import { waitFor } from '@slipway/testing'

import { ingestTokenOf, newTraceId, sendSpans } from '../../support/ingest.ts'
import { ask, makeWorld, type World } from './catalog-fixture.ts'

/**
 * A team account whose agent is deployed and has two traces in one minute: a good and a failed one.
 */
export interface ObservedWorld extends World {
  readonly agent: string
  readonly namespace: string
  readonly token: string
  readonly good: string
  readonly failed: string
  /** The start of the minute in which the traces began. */
  readonly startMs: number
}

/** A number of tokens that a double can't represent. */
export const HUGE_TOKENS = '9007199254740993'

/** The session of the good trace, with characters that URLs must encode. */
export const SESSION = 'chat/1?ä#%2F'

const MINUTE_MS = 60_000

/** Creates such a world. Its pods can't start, because tests only need its ingest token. */
export async function makeObservedWorld(): Promise<ObservedWorld> {
  const world = await makeWorld()
  const agent = world.published
  const body = { account: world.account, name: agent }
  const { status, text, body: deployed } = await ask('POST', '/deploy', 'owner', { body })
  if (status !== 200) throw new Error(`deploy returned ${status}: ${text}`)
  const namespace: string = deployed.k8s_namespace
  const token = await ingestTokenOf(namespace)
  const [good, failed] = [newTraceId(), newTraceId()]
  const startMs = Math.trunc(Date.now() / MINUTE_MS - 5) * MINUTE_MS
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-1' }
  const attributes = {
    ...model,
    'input.value': 'the question',
    'output.value': 'the answer',
    'session.id': SESSION,
  }
  const sent = await sendSpans(token, [
    {
      traceId: good,
      name: 'good',
      startMs: startMs + 100,
      durationMs: 20,
      attributes,
      tokens: HUGE_TOKENS,
    },
    { traceId: failed, name: 'failed', startMs: startMs + 200, durationMs: 40, isError: true },
  ])
  if (sent.status !== 200) throw new Error(`the ingest returned ${sent.status}`)
  return { ...world, agent, namespace, token, good, failed, startMs }
}

/** Undeploys the world's agent. */
export async function endObservedWorld(world: ObservedWorld | undefined): Promise<void> {
  if (world === undefined) return
  const body = { account: world.account, name: world.agent }
  await waitFor(
    async () => [200, 404].includes((await ask('POST', '/undeploy', 'owner', { body })).status),
    {
      what: 'the undeploy',
    },
  )
}
