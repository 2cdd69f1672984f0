import { expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'
import { freshName } from './cases/case.ts'
import { ask, buildBody, callerToken } from './support/catalog-fixture.ts'

const DEFAULTS = {
  agents: 1000,
  builds: 20_000,
  members: 1000,
  catalog_bytes: 2 * 1024 ** 3,
  deployments: 100,
  spans_per_day: 20_000_000,
}

/** A new team account of the owner. */
async function newTeam(): Promise<string> {
  const name = freshName('usage')
  const { status } = await ask('POST', '/accounts', 'owner', { body: { name } })
  expect(status).toBe(201)
  return name
}

/** The body of a usage answer by the names of limits. */
function byName(limits: { name: string; used: number; limit: number }[]) {
  return new Map(limits.map(({ name, used, limit }) => [name, { used, limit }]))
}

test('shows every limit of an account, from all services', async () => {
  const account = await newTeam()
  const read = async () => (await ask('GET', `/accounts/${account}/usage`, 'owner')).body
  // On a busy machine, a service may not answer in time.
  await expect.poll(read).toMatchObject({ account, unavailable: [] })
  const limits = byName((await read()).limits)
  for (const [name, limit] of Object.entries(DEFAULTS))
    expect([name, limits.get(name)]).toEqual([name, { used: name === 'members' ? 1 : 0, limit }])

  await ask('POST', `/agents/${account}/counted/register`, 'owner', {
    body: buildBody('counted', 'b1'),
  })
  const after = byName((await read()).limits)
  expect([after.get('agents')?.used, after.get('builds')?.used]).toEqual([1, 1])
  expect(after.get('catalog_bytes')?.used).toBeGreaterThan(0)
})

test('names the limits of services that are unavailable, and shows the others', async () => {
  const account = await newTeam()
  await using gateway = await startLoneGateway({ CATALOG_ADDRESS: fromStack('CATALOG_CONNECT') })
  const read = async (caller: 'owner' | 'stranger') =>
    await fetch(`${gateway.url}/api/v1/accounts/${account}/usage`, {
      headers: { authorization: `Bearer ${await callerToken(caller)}` },
    })
  const answer = await read('owner')
  expect(answer.status).toBe(200)
  const { limits, unavailable } = (await answer.json()) as {
    limits: { name: string; used: number; limit: number }[]
    unavailable: string[]
  }
  expect(limits.map(({ name }) => name)).toEqual([
    'agents',
    'builds',
    'catalog_bytes',
    'members',
    'machine_tokens',
  ])
  expect(unavailable).toEqual(expect.arrayContaining(['deployments', 'cpu', 'spans_per_day']))
  expect((await read('stranger')).status).toBe(403)
})
