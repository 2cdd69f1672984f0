import { fromBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@slipway/proto/slipway/events/v1/event'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { waitFor } from '@slipway/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

async function readOutbox() {
  const { rows } = await sql<{ subject: string; payload: Buffer; published_at: Date | null }>`
    SELECT subject, payload, published_at FROM outbox ORDER BY position`.execute(catalog.db)
  return rows.map(({ subject, payload, published_at }) => ({
    subject,
    isPublished: published_at !== null,
    event: fromBinary(EventSchema, payload),
  }))
}

test('each change commits one event, in order per aggregate, and nothing else does', async () => {
  const { account, accountId, options } = await catalog.signIn('ann')
  const bob = await catalog.signIn('bob')
  const traced = { headers: { ...options.headers, 'x-request-id': 'req-42' } }
  const build = { account, name: 'agent', buildId: 'b1' }
  const content = { ...build, registry: 'r.example', specContent: specOf('agent') }
  await catalog.agents.registerBuild(content, traced)
  await catalog.agents.registerBuild(content, options)
  await catalog.agents.registerBuild({ ...content, readme: 'new' }, options)
  await catalog.agents.publishBuild({ ...build, version: '1.0.0' }, options)
  await catalog.agents.publishBuild({ ...build, version: '1.0.0' }, options)
  await catalog.agents.yankVersion({ account, name: 'agent', version: '1.0.0' }, options)
  await catalog.agents.yankVersion({ account, name: 'agent', version: '1.0.0' }, options)
  await catalog.agents.unyankVersion({ account, name: 'agent', version: '1.0.0' }, options)
  await catalog.accounts.putMember({ account, userId: bob.userId, role: Role.MEMBER }, options)
  await catalog.accounts.putMember({ account, userId: bob.userId, role: Role.MEMBER }, options)
  await catalog.accounts.deleteMember({ account, userId: bob.userId }, options)
  await catalog.accounts.renameAccount({ account, newName: 'ann-now' }, options)
  await catalog.accounts.renameAccount({ account: 'ann-now', newName: 'ann-now' }, options)

  const events = (await readOutbox()).filter(({ event }) => event.accountId === accountId)
  expect(events.map(({ event }) => [event.payload.case, Number(event.sequence)])).toEqual([
    ['accountCreated', 1],
    ['buildRegistered', 1],
    ['buildRegistered', 2],
    ['versionPublished', 3],
    ['versionYanked', 4],
    ['versionUnyanked', 5],
    ['accountMemberChanged', 2],
    ['accountMemberChanged', 3],
    ['accountRenamed', 4],
  ])
  const agentId = events[1]?.event.aggregateId
  expect(events.map(({ subject }) => subject)).toEqual([
    `slipway.account.${accountId}.${accountId}.created`,
    `slipway.build.${accountId}.${agentId}.registered`,
    `slipway.build.${accountId}.${agentId}.registered`,
    `slipway.version.${accountId}.${agentId}.published`,
    `slipway.version.${accountId}.${agentId}.yanked`,
    `slipway.version.${accountId}.${agentId}.unyanked`,
    `slipway.account.${accountId}.${accountId}.member_changed`,
    `slipway.account.${accountId}.${accountId}.member_changed`,
    `slipway.account.${accountId}.${accountId}.renamed`,
  ])
  expect(events[1]?.event.requestId).toBe('req-42')
  expect(events[3]?.event.payload.value).toMatchObject({
    agent: 'agent',
    buildId: 'b1',
    version: '1.0.0',
  })
  expect(events[8]?.event.payload.value).toMatchObject({ oldName: account, newName: 'ann-now' })
})

test('writes succeed while NATS is down, and their events are published later', async () => {
  await catalog.nats.stop()
  const { account, accountId, options } = await catalog.signIn('eve')
  const content = { account, name: 'agent', registry: 'r.example', specContent: specOf('agent') }
  await catalog.agents.registerBuild({ ...content, buildId: 'b1' }, options)
  const mine = async () => (await readOutbox()).filter(({ event }) => event.accountId === accountId)
  expect((await mine()).map(({ isPublished }) => isPublished)).toEqual([false, false])
  expect((await fetch(`http://${catalog.opsAddress}/readyz`)).status).toBe(200)
  await catalog.nats.start()
  await waitFor(async () => (await mine()).every(({ isPublished }) => isPublished), {
    what: 'the events to be published',
  })
})
