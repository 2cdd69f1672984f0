import { randomUUID } from 'node:crypto'

import { createDatabase, type Database } from '@slipway/shared/db'
import { testDatabase } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { replaceComponents } from '../src/db/components.ts'
import { findDeployment } from '../src/db/deployments.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { endReadiness, recordReason, startReadiness } from '../src/db/readiness.ts'
import { findListedRevision } from '../src/db/revision-lists.ts'
import { insertRevision } from '../src/db/revisions.ts'
import type { DeployerSchema } from '../src/db/tables.ts'
import { toRevision } from '../src/rpc/deployment-mapping.ts'

// An agent without a health check is ready whenever its process runs, also if it crashes soon.

const REASON = 'CrashLoopBackOff: the container exited with code 3'

const stack = new AsyncDisposableStack()
let db: Database<DeployerSchema>
beforeAll(async () => {
  const { url } = stack.use(await testDatabase({ migrations }))
  db = stack.use(createDatabase<DeployerSchema>({ url, applicationName: 'deployer test' }))
})
afterAll(() => stack.disposeAsync())

/** A deployment with one revision that failed with REASON, and whose pod restarted as often. */
async function failedDeployment(restarts: number): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('deployment')
    .values({
      id,
      account_id: 'account',
      agent: id,
      source_account_id: 'account',
      source_account: '',
      k8s_namespace: id,
      state: 'failed',
      deployed_by: 'user',
      live_revision: 1,
    })
    .execute()
  await insertRevision(db, {
    deployment_id: id,
    revision: 1,
    state: 'applied',
    build_id: 'b1',
    registry: 'oci://registry.example',
    spec_content: '',
    account: 'account',
    source_account: '',
    template: '{}',
    selection: '{}',
    secrets: JSON.stringify({ roles: {}, sources: {} }),
    fingerprint: Buffer.alloc(32),
    created_by: 'user',
    request_id: '',
    traceparent: '',
  })
  const pod = { name: 'agent-1', phase: 'Running', ready: true, restarts, reason: '' }
  await replaceComponents(db, id, [
    { name: 'agent', kind: 'agent', state: 'failed', reason: REASON, pods: [pod] },
  ])
  await recordReason(db, id, 1, REASON)
  return id
}

async function reasonOf(id: string): Promise<string | undefined> {
  const [row, deployment] = [await findListedRevision(db, id, 1), await findDeployment(db, id)]
  return row && deployment && toRevision(row, deployment).reason
}

/** The deployment has been ready for this long. */
async function beReady(id: string, seconds: number): Promise<void> {
  await startReadiness(db, id, 1)
  const ready_since = sql<Date>`now() - ${seconds} * interval '1 second'`
  await db.updateTable('revision').set({ ready_since }).where('deployment_id', '=', id).execute()
}

test.each([
  { restarts: 4, failed: false, what: 'another revision replaced it at a moment between crashes' },
  { restarts: 4, failed: true, what: 'it crashed again' },
  { restarts: 0, failed: true, what: 'it crashed again, before its restart was seen' },
])('a revision keeps why it was not ready if $what', async ({ restarts, failed }) => {
  const id = await failedDeployment(restarts)
  await beReady(id, 2)
  expect(await reasonOf(id)).toBe('')
  await endReadiness(db, id, { failed })
  expect(await reasonOf(id)).toBe(REASON)
})

test.each([
  { restarts: 4, seconds: 60, what: 'it recovered before another revision replaced it' },
  { restarts: 0, seconds: 2, what: 'another revision soon replaced it, and no pod restarted' },
])('a revision has no reason if $what', async ({ restarts, seconds }) => {
  const id = await failedDeployment(restarts)
  await beReady(id, seconds)
  await endReadiness(db, id, { failed: false })
  expect(await reasonOf(id)).toBe('')
})
