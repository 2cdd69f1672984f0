import { waitFor } from '@slipway/testing'
import { createDatabase } from '@slipway/shared/db'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { findDeployment } from '../src/db/deployments.ts'
import type { ObservabilitySchema } from '../src/db/tables.ts'
import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'
import { deploymentEvent, startPublisher, type Publisher } from './support/publisher.ts'

const ACCOUNT = 'acc-1'
const EVENT_MS = 30_000

let platform: Platform
let publisher: Publisher
beforeAll(async () => {
  // Cached agents are dropped by events only.
  platform = await startPlatform({}, { grantMs: 3_600_000 })
  publisher = await startPublisher(platform.nats.url)
  platform.neighbours.accounts.set('acme', ACCOUNT)
  platform.neighbours.members.add(`${ACCOUNT}/alice`)
})
afterAll(async () => {
  await publisher?.[Symbol.asyncDispose]()
  await platform?.[Symbol.asyncDispose]()
})

/** Stores a trace with the token of a deployment; returns its id. */
async function send(token: string, startMs = Date.now() - 1000): Promise<string> {
  const traceId = newTraceId()
  await sendSpans(platform.ingestUrl, token, [{ traceId, spanId: newSpanId(), startMs }])
  return traceId
}

function deployed(token: string, agent: string, agentId: string, sourceAccountId = ACCOUNT) {
  const owner = { accountId: ACCOUNT, agent, agentId, sourceAccountId }
  platform.neighbours.tokens.set(token, { ...owner, deploymentId: token, buildId: 'b1' })
}

function registered(agent: string, id: string, since = 0) {
  platform.neighbours.agents.set(`${ACCOUNT}/${agent}`, { id, since })
}

/** The ids of an agent's traces, with the total of each of the three other responses. */
async function seen(name: string) {
  const options = await platform.as('alice')
  const request = { account: 'acme', name }
  const { traces, total } = await platform.traces.listTraces(request, options)
  const { totalTraces } = await platform.traces.getSummary(request, options)
  const { buckets } = await platform.traces.getMetrics(request, options)
  const inBuckets = buckets.reduce((sum, bucket) => sum + bucket.traceCount, 0n)
  expect([totalTraces, inBuckets]).toEqual([total, total])
  return traces.map(({ traceId }) => traceId).toSorted()
}

async function isShown(name: string, traceId: string): Promise<boolean> {
  const request = { account: 'acme', name, traceId }
  const answer = platform.traces.getTrace(request, await platform.as('alice'))
  return await answer.then(
    () => true,
    () => false,
  )
}

function agentEvent(kind: 'agent' | 'build', agent: string, id: string) {
  const ids = { accountId: ACCOUNT, aggregateId: id, kind }
  return kind === 'agent'
    ? { ...ids, event: 'deleted', payload: { case: 'agentDeleted', value: { agent } } as const }
    : {
        ...ids,
        event: 'registered',
        payload: { case: 'buildRegistered', value: { agent, buildId: 'b1' } } as const,
      }
}

test('an agent that is registered again sees no traces of the deleted one', async () => {
  registered('helper', 'id-1')
  deployed('first', 'helper', 'id-1')
  const old = await send('first')
  expect(await seen('helper')).toEqual([old])

  platform.neighbours.agents.delete(`${ACCOUNT}/helper`)
  await publisher.publish(agentEvent('agent', 'helper', 'id-1'))
  await waitFor(async () => (await seen('helper')).length === 0, {
    what: 'the traces to be hidden',
    timeoutMs: EVENT_MS,
  })
  expect(await isShown('helper', old)).toBe(false)

  registered('helper', 'id-2', Date.now() / 1000)
  await publisher.publish(agentEvent('build', 'helper', 'id-2'))
  deployed('second', 'helper', 'id-2')
  const young = await send('second')
  // A straggler of the previous deployment.
  await send('first')
  await waitFor(async () => (await seen('helper')).length > 0, {
    what: 'the traces of the new agent',
    timeoutMs: EVENT_MS,
  })
  expect(await seen('helper')).toEqual([young])
  expect([await isShown('helper', young), await isShown('helper', old)]).toEqual([true, false])
})

test('shows the traces from before spans had ids, unless the agent is younger', async () => {
  deployed('legacy', 'old-timer', '')
  const minute = 60_000
  const old = await send('legacy', Date.now() - 10 * minute)
  registered('old-timer', 'id-3')
  expect(await seen('old-timer')).toEqual([old])

  registered('youngster', 'id-4', Math.floor(Date.now() / 1000) - 5 * 60)
  deployed('legacy-2', 'youngster', '')
  await send('legacy-2', Date.now() - 10 * minute)
  const own = await send('legacy-2', Date.now() - minute)
  expect(await seen('youngster')).toEqual([own])
})

test('shows the traces of another account’s agent next to those of the own one', async () => {
  registered('shared', 'id-5')
  deployed('own', 'shared', 'id-5')
  deployed('foreign', 'shared', 'id-of-theirs', 'acc-2')
  const traces = [await send('own'), await send('foreign')].toSorted()
  expect(await seen('shared')).toEqual(traces)
})

test('forgets the undeployed deployments of a deleted agent', async () => {
  await using db = createDatabase<ObservabilitySchema>({
    url: platform.databaseUrl,
    applicationName: 'test',
  })
  await publisher.publish(deploymentEvent('d-gone', 'undeployRequested', { agent: 'gone' }))
  await publisher.publish(deploymentEvent('d-kept', 'undeployRequested', { agent: 'kept' }))
  await waitFor(async () => (await findDeployment(db, 'd-kept')) !== undefined, {
    what: 'the deployments to be stored',
    timeoutMs: EVENT_MS,
  })
  await publisher.publish(agentEvent('agent', 'gone', 'id-6'))
  await waitFor(async () => (await findDeployment(db, 'd-gone')) === undefined, {
    what: 'the deployment to be deleted',
    timeoutMs: EVENT_MS,
  })
  expect(await findDeployment(db, 'd-kept')).toBeDefined()
})
