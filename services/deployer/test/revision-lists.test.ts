import { randomUUID } from 'node:crypto'

import { createDatabase } from '@slipway/shared/db'
import { testDatabase } from '@slipway/testing'
import { expect, test } from 'vitest'

import { migrations } from '../src/db/migrations/index.ts'
import { listRevisionsBefore } from '../src/db/revision-lists.ts'
import { findRevisionFacts, insertRevision } from '../src/db/revisions.ts'
import type { DeployerSchema } from '../src/db/tables.ts'

const INGESTION = {
  'by-hand': { trigger: { type: 'manual' } },
  'at-start': { trigger: { type: 'startup' } },
}
const LARGE = 'x'.repeat(1_000_000)

test('lists and states of revisions read none of their large columns', async () => {
  await using database = await testDatabase({ migrations })
  await using db = createDatabase<DeployerSchema>({ url: database.url, applicationName: 'test' })
  const id = randomUUID()
  await db
    .insertInto('deployment')
    .values({
      id,
      account_id: 'account',
      agent: 'agent',
      source_account_id: 'account',
      source_account: '',
      k8s_namespace: 'namespace',
      state: 'ready',
      deployed_by: 'user',
    })
    .execute()
  await insertRevision(db, {
    deployment_id: id,
    revision: 1,
    state: 'applied',
    build_id: 'b1',
    registry: 'oci://registry.example',
    spec_content: LARGE,
    account: 'account',
    source_account: '',
    template: JSON.stringify({ LARGE, ingestion: INGESTION }),
    selection: JSON.stringify({ LARGE }),
    secrets: JSON.stringify({ roles: {}, sources: {} }),
    fingerprint: Buffer.alloc(32),
    created_by: 'user',
    request_id: '',
    traceparent: '',
  })
  const rows = await listRevisionsBefore(db, id, { before: 2, limit: 10 })
  expect(rows).toMatchObject([{ revision: 1, build_id: 'b1' }])
  expect(JSON.stringify(rows).length).toBeLessThan(1_000)
  const facts = await findRevisionFacts(db, id, 1)
  expect(facts).toMatchObject({ build_id: 'b1', manual_ingestions: ['by-hand'] })
  expect(JSON.stringify(facts).length).toBeLessThan(1_000)
})
