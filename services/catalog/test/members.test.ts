import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { failureOf, specOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
let ann: Awaited<ReturnType<TestCatalog['signIn']>>
let bob: typeof ann
let eve: typeof ann
beforeAll(async () => {
  catalog = await startTestCatalog()
  ann = await catalog.signIn('ann')
  bob = await catalog.signIn('bob')
  eve = await catalog.signIn('eve')
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

const create = (name: string, user = ann) => catalog.accounts.createAccount({ name }, user.options)
const put = (account: string, userId: string, role: Role, user = ann) =>
  catalog.accounts.putMember({ account, userId, role }, user.options)
const remove = (account: string, userId: string, user = ann) =>
  catalog.accounts.deleteMember({ account, userId }, user.options)
const list = async (account: string, { pageSize = 0, pageToken = '', user = ann } = {}) => {
  const page = await catalog.accounts.listMembers({ account, pageSize, pageToken }, user.options)
  return { ...page, ids: page.members.map(({ user }) => user?.id) }
}
const roles = async (account: string, user = ann) => {
  const { members } = await list(account, { user })
  return new Map(members.map(({ user, role }) => [user?.id, role]))
}
const access = async (account: string, subject: string) =>
  catalog.accounts.checkAccess(
    { account, realm: 'test', subject },
    await catalog.asService('deployer'),
  )

test('admins add members and admins, owners also owners, and all are listed by id', async () => {
  await create('crew')
  await put('crew', bob.userId, Role.ADMIN)
  expect(await put('crew', eve.userId, Role.MEMBER, bob)).toMatchObject({
    member: { role: Role.MEMBER, user: { id: eve.userId } },
  })
  expect(await failureOf(put('crew', eve.userId, Role.OWNER, bob))).toBe('permission_denied')
  expect(await failureOf(put('crew', ann.userId, Role.ADMIN, bob))).toBe('permission_denied')
  expect(await failureOf(remove('crew', ann.userId, bob))).toBe('permission_denied')
  await put('crew', eve.userId, Role.OWNER)
  const { members } = await catalog.accounts.listMembers({ account: 'crew' }, ann.options)
  expect(members.map(({ user }) => user?.id)).toEqual(
    [ann.userId, bob.userId, eve.userId].toSorted(),
  )
  expect((await roles('crew')).get(eve.userId)).toBe(Role.OWNER)
})

test('members can list members and leave, nothing else', async () => {
  await create('club')
  await put('club', bob.userId, Role.MEMBER)
  expect((await roles('club', bob)).size).toBe(2)
  expect(await failureOf(put('club', eve.userId, Role.MEMBER, bob))).toBe('permission_denied')
  expect(await failureOf(put('club', bob.userId, Role.ADMIN, bob))).toBe('permission_denied')
  expect(await failureOf(remove('club', ann.userId, bob))).toBe('permission_denied')
  expect(await failureOf(remove('club', eve.userId, bob))).toBe('permission_denied')
  const build = {
    account: 'club',
    name: 'x',
    buildId: 'b1',
    registry: 'r.example',
    specContent: specOf('x'),
  }
  expect(await failureOf(catalog.agents.registerBuild(build, bob.options))).toBe(
    'permission_denied',
  )
  await remove('club', bob.userId, bob)
  expect(await failureOf(roles('club', bob))).toBe('permission_denied')
  expect(await failureOf(remove('club', bob.userId))).toBe('member_not_found')
})

test('a removed member loses access with the next call', async () => {
  await create('gate')
  await put('gate', bob.userId, Role.ADMIN)
  const build = {
    account: 'gate',
    name: 'x',
    buildId: 'b1',
    registry: 'r.example',
    specContent: specOf('x'),
  }
  await catalog.agents.registerBuild(build, bob.options)
  await remove('gate', bob.userId)
  expect(await failureOf(catalog.agents.registerBuild(build, bob.options))).toBe(
    'permission_denied',
  )
  expect(await failureOf(catalog.agents.getAgent(build, bob.options))).toBe('agent_not_found')
  expect(await access('gate', 'bob')).toMatchObject({ role: Role.UNSPECIFIED })
})

test('the last owner stays, even when two owners leave concurrently', async () => {
  await create('ship')
  expect(await failureOf(remove('ship', ann.userId))).toBe('last_owner')
  expect(await failureOf(put('ship', ann.userId, Role.ADMIN))).toBe('last_owner')
  for (let round = 0; round < 5; round++) {
    await put('ship', bob.userId, Role.OWNER)
    const left = await Promise.allSettled([
      remove('ship', ann.userId),
      remove('ship', bob.userId, bob),
    ])
    expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const stayed = left[0]?.status === 'fulfilled' ? bob : ann
    expect([...(await roles('ship', stayed))]).toEqual([[stayed.userId, Role.OWNER]])
    await put('ship', ann.userId, Role.OWNER, stayed)
  }
})

test('reports what is invalid or missing', async () => {
  await create('desk')
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await failureOf(put('desk', unknown, Role.MEMBER))).toBe('user_not_found')
  expect(await failureOf(put('desk', "x'; --", Role.MEMBER))).toBe('user_not_found')
  expect(await failureOf(put('desk', bob.userId, Role.UNSPECIFIED))).toBe('invalid_argument')
  expect(await failureOf(put('desk', '', Role.MEMBER))).toBe('invalid_argument')
  expect(await failureOf(put('no-such', bob.userId, Role.MEMBER))).toBe('account_not_found')
  expect(await failureOf(put('desk', unknown, Role.MEMBER, bob))).toBe('permission_denied')
  expect(await failureOf(remove('desk', bob.userId))).toBe('member_not_found')
  expect(await failureOf(roles('desk', bob))).toBe('permission_denied')
})

test('removing a user who is no longer a member fails', async () => {
  await create('door')
  await put('door', bob.userId, Role.MEMBER)
  await remove('door', bob.userId)
  expect(await failureOf(remove('door', bob.userId))).toBe('member_not_found')
  expect(await failureOf(remove('door', bob.userId, bob))).toBe('permission_denied')
  expect((await list('door')).ids).toEqual([ann.userId])
})

test('pages list every member once, even when one leaves between two pages', async () => {
  await create('crowd')
  const people = await Promise.all(['p1', 'p2', 'p3', 'p4'].map((name) => catalog.signIn(name)))
  for (const { userId } of people) await put('crowd', userId, Role.MEMBER)
  const all = [ann, ...people].map(({ userId }) => userId).toSorted()
  for (const pageSize of [1, 2, 3, 5, 1000]) {
    const pages: (string | undefined)[][] = []
    for (let pageToken = ''; ;) {
      const page = await list('crowd', { pageSize, pageToken })
      pages.push(page.ids)
      if (page.nextPageToken === '') break
      pageToken = page.nextPageToken
    }
    expect([pageSize, pages.flat()]).toEqual([pageSize, all])
    expect(pages.slice(0, -1).every((page) => page.length === pageSize)).toBe(true)
  }
  const first = await list('crowd', { pageSize: 2 })
  await remove('crowd', first.ids.find((id) => id !== ann.userId) ?? '')
  expect((await list('crowd', { pageToken: first.nextPageToken })).ids).toEqual(all.slice(2))
})

test.each([{ pageSize: -1 }, { pageSize: 1001 }, { pageToken: 'x' }, { pageToken: 'Ym90L3RlYW0' }])(
  'rejects the page %j',
  async (page) => {
    expect(await failureOf(list('ann', page))).toBe('invalid_argument')
  },
)
