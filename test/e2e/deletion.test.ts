import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshName } from '../contract/cases/case.ts'
import { buildBody } from '../contract/support/catalog-fixture.ts'
import { request, type User } from '../support/api.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../support/ingest.ts'

// Alice owns a team, in which Bob is an admin and Carol a member; Mallory is a stranger.
const account = freshName('leaving')
const name = 'helper'
const agentPath = `/agents/${account}/${name}`

const as = (user: User) => ({ as: user })
const remove = (path: string, user: User = 'alice') => request('DELETE', path, as(user))
const register = (buildId: string) =>
  request('POST', `${agentPath}/register`, { as: 'alice', body: buildBody(name, buildId) })

async function deploy(): Promise<string> {
  const answer = await waitFor(
    async () => {
      const given = await request('POST', '/deploy', { as: 'alice', body: { account, name } })
      return given.body.code === 'namespace_terminating' ? undefined : given
    },
    { what: 'the previous namespace to be gone' },
  )
  expect([answer.status, answer.body.errors]).toEqual([200, []])
  return await ingestTokenOf(answer.body.k8s_namespace)
}

/** The ids of the agent's traces. */
async function traces(): Promise<string[]> {
  const { body } = await request('GET', `${agentPath}/observability/traces`, as('alice'))
  return body.traces.map((trace: { trace_id: string }) => trace.trace_id)
}

beforeAll(async () => {
  await request('POST', '/accounts', { as: 'alice', body: { name: account } })
  for (const [user, role] of [
    ['bob', 'admin'],
    ['carol', 'member'],
  ] as const) {
    const { body } = await request('GET', '/me', as(user))
    const path = `/accounts/${account}/members/${body.user.id}`
    expect((await request('PUT', path, { as: 'alice', body: { role } })).status).toBe(200)
  }
})
afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
})

test('deletes builds, then an agent once it is undeployed, then the account', async () => {
  for (const buildId of ['b1', 'b2', 'b3']) expect((await register(buildId)).status).toBe(201)
  const token = await deploy()
  const old = newTraceId()
  expect((await sendSpans(token, [{ traceId: old }])).status).toBe(200)
  expect(await traces()).toEqual([old])

  // The deployment keeps running without its build.
  expect((await remove(`${agentPath}/builds/b3`, 'bob')).body).toEqual({
    message: 'build deleted',
    account,
    name,
    build_id: 'b3',
    dry_run: false,
  })
  expect((await remove(`${agentPath}/builds/b3`)).status).toBe(404)
  const { body: deployment } = await request('GET', `${agentPath}/deployment`, as('carol'))
  expect(deployment.build_id).toBe('b3')

  const outcomes = async (path: string, users: readonly User[]) =>
    await Promise.all(users.map(async (user) => (await remove(path, user)).body.code))
  const denied = 'permission_denied'
  expect(await outcomes(agentPath, ['mallory', 'carol', 'bob'])).toEqual([
    denied,
    denied,
    'still_deployed',
  ])
  expect(await outcomes(`/accounts/${account}`, ['mallory', 'bob', 'alice'])).toEqual([
    denied,
    denied,
    'still_deployed',
  ])
  const undeployed = await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
  expect(undeployed.status).toBe(200)

  const dry = await remove(`${agentPath}?dry_run=true`, 'bob')
  const deleted = { builds: ['b2', 'b1'], build_count: 2 }
  expect(dry.body).toMatchObject({ dry_run: true, deleted })
  expect((await request('GET', agentPath, as('carol'))).status).toBe(200)
  const gone = await remove(agentPath, 'bob')
  expect([gone.status, gone.body]).toEqual([
    200,
    { message: 'agent deleted', account, name, dry_run: false, deleted },
  ])
  expect((await remove(agentPath)).body.code).toBe('agent_not_found')
  expect((await request('GET', agentPath, as('alice'))).status).toBe(404)
})

test('an agent that is registered again has no previous traces, and can be deployed', async () => {
  expect((await register('b1')).status).toBe(201)
  const token = await deploy()
  await waitFor(async () => (await traces()).length === 0, { what: 'the traces to be hidden' })
  const young = newTraceId()
  expect((await sendSpans(token, [{ traceId: young }])).status).toBe(200)
  await waitFor(async () => (await traces()).includes(young), { what: 'the new trace' })
  expect(await traces()).toEqual([young])

  const undeployed = await request('POST', '/undeploy', { as: 'alice', body: { account, name } })
  expect(undeployed.status).toBe(200)
  const dry = await remove(`/accounts/${account}?dry_run=true`)
  const deleted = { agents: [name], agent_count: 1, build_count: 1, member_count: 3 }
  expect(dry.body).toMatchObject({ dry_run: true, deleted })
  const gone = await remove(`/accounts/${account}`)
  expect([gone.status, gone.body.deleted]).toEqual([200, deleted])
  expect((await remove(`/accounts/${account}`)).body.code).toBe('account_not_found')
  expect((await request('GET', `/agents/${account}`)).status).toBe(404)
  const taken = await request('POST', '/accounts', { as: 'mallory', body: { name: account } })
  expect(taken.body.code).toBe('account_name_taken')
})
