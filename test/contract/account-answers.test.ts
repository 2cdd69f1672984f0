import { beforeAll, expect, test } from 'vitest'

import { freshName } from './cases/case.ts'
import { ask, makeWorld, read, type World } from './support/catalog-fixture.ts'

const ID = expect.stringMatching(/^[\w-]+$/)
const REGISTRY = 'oci://registry.example/contract'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})

// These compare every member of every response.

test('responds with profiles and accounts', async () => {
  const { account, published, yanked, ids } = world
  const me = await read('/me', 'member')
  expect(me.user).toEqual({
    id: ids.member,
    email: 'carol@example.test',
    first_name: 'Carol',
    last_name: 'Carter',
  })
  const names = me.accounts.map(({ name }: { name: string }) => name)
  expect(names).toEqual(names.toSorted())
  const team = me.accounts.find(({ name }: { name: string }) => name === account)
  expect(team).toMatchObject({ id: ID, name: account, type: 'team', role: 'member' })
  expect(Object.keys(team).toSorted()).toEqual([
    'agents',
    'confirmed',
    'id',
    'name',
    'role',
    'type',
  ])
  expect(team.agents).toEqual(
    expect.arrayContaining([
      { name: published, registry: REGISTRY, build_count: 2, published_version_count: 1 },
      { name: yanked, registry: REGISTRY, build_count: 1, published_version_count: 1 },
    ]),
  )
  const name = freshName('team')
  const created = await ask('POST', '/accounts', 'owner', { body: { name } })
  expect([created.status, created.body]).toEqual([
    201,
    { id: ID, name, type: 'team', role: 'owner' },
  ])
  const next = `${name}-2`
  for (const present of [name, next]) {
    const renamed = await ask('PUT', `/accounts/${present}`, 'owner', { body: { name: next } })
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { message: 'account renamed', name: next },
    ])
  }
})

test('responds with members', async () => {
  const { account, ids } = world
  const carol = {
    user_id: ids.member,
    email: 'carol@example.test',
    first_name: 'Carol',
    last_name: 'Carter',
  }
  const { members, count } = await read(`/accounts/${account}/members`, 'member')
  expect(count).toBe(3)
  expect(members.map(({ user_id: id }: { user_id: string }) => id)).toEqual(
    [ids.owner, ids.admin, ids.member].toSorted(),
  )
  expect(members).toContainEqual({ ...carol, role: 'member', confirmed: false })
  // Others learn nothing about a member who has not confirmed.
  const others = await read(`/accounts/${account}/members`, 'owner')
  expect(others.members).toContainEqual({ user_id: ids.member, role: 'member', confirmed: false })
  // The pages add up to the same list.
  const pages = []
  for (let query = '?limit=2'; query !== '';) {
    const page = await read(`/accounts/${account}/members${query}`, 'member')
    pages.push(...page.members)
    query = page.next_cursor === undefined ? '' : `?limit=2&cursor=${page.next_cursor}`
  }
  expect(pages).toEqual(members)
  const path = `/accounts/${account}/members/${ids.member}`
  expect((await ask('DELETE', path, 'member')).body).toEqual({ message: 'member removed' })
  // They are not a member any more.
  expect((await ask('DELETE', path, 'owner')).body).toMatchObject({
    status: 404,
    code: 'member_not_found',
  })
  expect((await ask('DELETE', path, 'member')).body).toMatchObject({
    status: 403,
    code: 'permission_denied',
  })
  for (const role of ['admin', 'member']) {
    expect((await ask('PUT', path, 'owner', { body: { role } })).body).toEqual({
      user_id: ids.member,
      role,
      confirmed: false,
    })
  }
  const confirmed = { ...carol, role: 'member', confirmed: true }
  expect((await ask('PUT', path, 'member', { body: { role: 'member' } })).body).toEqual(confirmed)
  expect((await read(`/accounts/${account}/members`, 'owner')).members).toContainEqual(confirmed)
})
