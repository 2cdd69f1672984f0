import { randomUUID } from 'node:crypto'

import { createDatabase, transaction, type Database } from '@slipway/shared/db'
import { testDatabase, waitFor } from '@slipway/testing'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { EventWaiters } from '../src/db/event-waiters.ts'
import { updateDeployment } from '../src/db/deployments.ts'
import { replaceComponents } from '../src/db/components.ts'
import { migrations } from '../src/db/migrations/index.ts'
import type { DeployerSchema } from '../src/db/tables.ts'
import type { DeploymentState } from '../src/domain/states.ts'
import { appendDeploymentEvent } from '../src/events/deployment-events.ts'
import { waitForRollout } from '../src/operations/wait-for-rollout.ts'

// However many callers wait for their rollouts, their number must not load the database.

const LONG_MS = 300_000
const { signal: stopping } = new AbortController()
const stack = new AsyncDisposableStack()
let db: Database<DeployerSchema>
beforeAll(async () => {
  const { url } = stack.use(await testDatabase({ migrations }))
  db = stack.use(createDatabase<DeployerSchema>({ url, applicationName: 'deployer test' }))
})
afterAll(() => stack.disposeAsync())

/** Counts the queries of a handle. */
class QueryCounter implements KyselyPlugin {
  count = 0
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    this.count += 1
    return node
  }
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result
}

function counted() {
  const counter = new QueryCounter()
  // The plugin keeps everything else of the handle.
  return { db: db.withPlugin(counter) as Database<DeployerSchema>, counter }
}

async function startRollout() {
  const id = randomUUID()
  const deployment = {
    id,
    account_id: randomUUID(),
    agent: 'waited-for',
    source_account_id: randomUUID(),
    source_account: '',
    k8s_namespace: `agent-${id}`,
    deployed_by: randomUUID(),
    state: 'progressing',
    last_revision: 1,
    live_revision: 1,
  } as const
  await db.insertInto('deployment').values(deployment).execute()
  return deployment
}

type Rollout = Awaited<ReturnType<typeof startRollout>>

/** Changes the state as the state watcher does: with an event if it is another state. */
async function changeState(
  rollout: Rollout,
  state: DeploymentState,
  { reason = '', hasEvent = true } = {},
): Promise<void> {
  await transaction(db, async (trx) => {
    await replaceComponents(trx, rollout.id, [
      {
        name: 'agent',
        kind: 'agent',
        state: reason.startsWith('agent') ? 'degraded' : 'ready',
        reason,
        pods: [] as never,
      },
    ])
    await updateDeployment(trx, rollout.id, { state, reason })
    if (!hasEvent) return
    const subject = {
      deploymentId: rollout.id,
      accountId: rollout.account_id,
      agent: rollout.agent,
      sourceAccountId: rollout.source_account_id,
      buildId: 'b1',
      revision: 1,
      k8sNamespace: rollout.k8s_namespace,
    }
    const origin = { requestId: '', traceparent: '' }
    await appendDeploymentEvent(trx, subject, { kind: 'state_changed', state, reason }, origin)
  })
}

test('waiting callers cause no more queries until something changes', async () => {
  const waits = counted()
  const shared = counted()
  const eventWaiters = new EventWaiters(shared.db)
  const rollout = await startRollout()
  const other = await startRollout()
  const signal = new AbortController().signal
  const wait = async ({ id }: Rollout) =>
    await waitForRollout(
      { db: waits.db, eventWaiters, stopping },
      { deploymentId: id, revision: 1 },
      LONG_MS,
      signal,
    )
  const all = Promise.all(Array.from({ length: 200 }, () => wait(rollout)))
  const another = wait(other)
  const polls = async (count: number) => {
    const before = shared.counter.count
    await waitFor(() => shared.counter.count >= before + count, { what: 'polls of the waiters' })
  }
  await polls(2)
  const before = waits.counter.count
  await polls(4)
  expect(waits.counter.count).toBe(before)

  await changeState(rollout, 'ready')
  expect(new Set((await all).map(({ state }) => state))).toEqual(new Set(['ready']))
  const after = waits.counter.count
  await polls(2)
  expect(waits.counter.count).toBe(after)
  await changeState(other, 'failed', { reason: 'no image' })
  expect(await another).toMatchObject({ state: 'failed', reason: 'no image' })
})

test('a change without an event ends a wait, too', async () => {
  const shared = counted()
  const eventWaiters = new EventWaiters(shared.db)
  const rollout = await startRollout()
  await changeState(rollout, 'degraded', { reason: 'agent: a pod is missing' })
  const waiting = waitForRollout(
    { db, eventWaiters, stopping },
    { deploymentId: rollout.id, revision: 1 },
    LONG_MS,
    new AbortController().signal,
  )
  await waitFor(() => shared.counter.count > 0, { what: 'the wait to begin' })
  // All pods are ready, but the cluster has rejected an object.
  await changeState(rollout, 'degraded', { reason: 'Ingress/x: rejected', hasEvent: false })
  expect(await waiting).toMatchObject({
    state: 'degraded',
    reason: 'Ingress/x: rejected',
    components: [{ name: 'agent', state: 'ready' }],
  })
})

test('a wait ends at its timeout with the last state, and with its call', async () => {
  const context = { db, eventWaiters: new EventWaiters(db), stopping }
  const target = { deploymentId: (await startRollout()).id, revision: 1 }
  const calls = new AbortController()
  expect(await waitForRollout(context, target, 300, calls.signal)).toMatchObject({
    state: 'progressing',
    isInterrupted: false,
  })
  const waiting = waitForRollout(context, target, LONG_MS, calls.signal)
  calls.abort(new Error('the caller has left'))
  await expect(waiting).rejects.toThrow('the caller has left')
})

test('a wait ends early when the process stops, unless the rollout is over', async () => {
  const stop = new AbortController()
  const context = { db, eventWaiters: new EventWaiters(db), stopping: stop.signal }
  const rollout = await startRollout()
  const wait = async () =>
    await waitForRollout(
      context,
      { deploymentId: rollout.id, revision: 1 },
      LONG_MS,
      new AbortController().signal,
    )
  const waiting = wait()
  stop.abort()
  expect(await waiting).toMatchObject({ state: 'progressing', isInterrupted: true })
  await changeState(rollout, 'ready')
  expect(await wait()).toMatchObject({ state: 'ready', isInterrupted: false })
})
