import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { findLiveDeployment } from '../src/db/deployments.ts'
import { agentOf } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
beforeAll(async () => {
  deployer = await startTestDeployer()
})
afterAll(() => deployer[Symbol.asyncDispose]())

/** Deploys agents of a user. */
async function deployAgents(owner: Person, names: readonly string[]) {
  return await Promise.all(
    names.map(async (name) => {
      const agent = agentOf(deployer, owner, name)
      await agent.register()
      await agent.deploy()
      const row = await findLiveDeployment(deployer.db, owner.accountId, name)
      if (row === undefined) throw new Error(`${name} is not deployed`)
      return row
    }),
  )
}

/** Makes the last attempt of a deployment appear as interrupted. */
async function interrupt({ id, last_revision: revision }: { id: string; last_revision: number }) {
  await deployer.db
    .updateTable('deployment')
    .set({ attempt_id: sql<string>`gen_random_uuid()`, attempt_revision: revision })
    .where('id', '=', id)
    .execute()
}

async function countBlocked(): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'deployer'
      AND wait_event_type = 'Lock' AND wait_event = 'transactionid'`.execute(deployer.db)
  return Number(rows[0]?.count)
}

test('deployments of one user that hang do not delay those of others', async () => {
  const [mallory, alice] = [await deployer.signIn('mallory'), await deployer.signIn('alice')]
  const hanging = await deployAgents(mallory, ['one', 'two', 'three'])
  const [own] = await deployAgents(alice, ['own'])
  if (own === undefined) throw new Error('not deployed')
  await deployer.db.transaction().execute(async (trx) => {
    // The reconciler updates these rows, and so waits for the end of this transaction.
    const ids = hanging.map(({ id }) => id)
    await trx
      .selectFrom('cluster_object')
      .select('name')
      .where('deployment_id', 'in', ids)
      .forUpdate()
      .execute()
    for (const deployment of hanging) await interrupt(deployment)
    const blocked = { what: 'the reconciler to wait for locks' }
    await waitFor(async () => (await countBlocked()) > 0, blocked)
    await interrupt(own)
    await waitFor(
      async () => {
        const row = await findLiveDeployment(deployer.db, alice.accountId, 'own')
        return row?.attempt_id === null
      },
      { what: "alice's deployment to be finished" },
    )
    await expect.poll(countBlocked).toBeGreaterThan(0)
  })
  await waitFor(
    async () => {
      const rows = await deployer.db
        .selectFrom('deployment')
        .select('attempt_id')
        .where('account_id', '=', mallory.accountId)
        .execute()
      return rows.every(({ attempt_id: attempt }) => attempt === null)
    },
    { what: "mallory's deployments to be finished" },
  )
})
