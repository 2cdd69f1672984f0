import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { agentOf } from './support/agents.ts'
import { startTestDeployer, type Person, type TestDeployer } from './support/deployer.ts'

let deployer: TestDeployer
let owner: Person
beforeAll(async () => {
  deployer = await startTestDeployer()
  owner = await deployer.signIn('owner')
})
afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

/** Numbers of the stored revisions of an agent, oldest first. */
async function revisionsOf(agent: string): Promise<number[]> {
  const rows = await deployer.db
    .selectFrom('revision')
    .innerJoin('deployment', 'deployment.id', 'revision.deployment_id')
    .select('revision.revision')
    .where('deployment.agent', '=', agent)
    .orderBy('revision.revision')
    .execute()
  return rows.map(({ revision }) => revision)
}

/** Appends failed revisions to the first one of an agent. */
async function addFailedRevisions(agent: string, count: number): Promise<void> {
  await sql`
    INSERT INTO revision (deployment_id, revision, state, build_id, registry, spec_content, account,
      source_account, template, selection, secrets, fingerprint, created_by, request_id,
      traceparent)
    SELECT deployment_id, 1 + i, 'failed', build_id, registry, spec_content, account,
      revision.source_account, template, selection, secrets, fingerprint, created_by, request_id,
      traceparent
    FROM revision JOIN deployment ON deployment.id = deployment_id, generate_series(1, ${count}) i
    WHERE agent = ${agent} AND revision = 1`.execute(deployer.db)
  await sql`
    UPDATE deployment SET last_revision = last_revision + ${count} WHERE agent = ${agent}
  `.execute(deployer.db)
}

test('keeps 100 revisions, and those that a rollback needs', async () => {
  const [busy, quiet] = [agentOf(deployer, owner, 'busy'), agentOf(deployer, owner, 'quiet')]
  for (const agent of [busy, quiet]) {
    await agent.register()
    await agent.deploy()
  }
  await addFailedRevisions('busy', 150)
  await addFailedRevisions('quiet', 50)
  await busy.deploy({ API_TOKEN: 'second-secret-value' })
  await quiet.deploy({ API_TOKEN: 'second-secret-value' })
  const kept = await revisionsOf('busy')
  expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([101, 1, 53, 152])
  expect(await revisionsOf('quiet')).toHaveLength(52)
  const back = await busy.rollback({ revision: 1 })
  expect(back).toMatchObject({ status: DeployStatus.SUCCESS, revision: 153 })
})

test('keeps 100 undeployed deployments of an account', async () => {
  const gone = async (accountId: string) => {
    const rows = await deployer.db
      .selectFrom('deployment')
      .select('id')
      .where('account_id', '=', accountId)
      .where('agent', '=', 'gone')
      .execute()
    return rows.length
  }
  for (const [accountId, count] of [
    [owner.accountId, 150],
    ['other-account', 3],
  ] as const) {
    await sql`
      INSERT INTO deployment (id, account_id, agent, source_account_id, source_account,
        k8s_namespace, state, deployed_by, undeploy_time, namespace_gone_time)
      SELECT gen_random_uuid(), ${accountId}, 'gone', ${accountId}, '', 'agent-gone-' || i,
        'undeployed', 'owner', now(), now()
      FROM generate_series(1, ${count}) i`.execute(deployer.db)
  }
  const agent = agentOf(deployer, owner, 'next')
  await agent.register()
  await agent.deploy()
  expect([await gone(owner.accountId), await gone('other-account')]).toEqual([100, 3])
})
