import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { failureOf, startTestCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startTestCatalog()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
})

const ask = async (account: string, subject: string) =>
  catalog.accounts.checkAccess(
    { account, realm: 'test', subject },
    await catalog.asService('deployer'),
  )

test('returns account, user and role', async () => {
  const { account, accountId, userId } = await catalog.signIn('owner')
  const stranger = await catalog.signIn('stranger')
  expect(await ask(account, 'owner')).toMatchObject({ accountId, userId, role: Role.OWNER })
  expect(await ask(account, 'stranger')).toMatchObject({
    accountId,
    userId: stranger.userId,
    role: Role.UNSPECIFIED,
  })
  expect(await ask(account, 'nobody')).toMatchObject({
    accountId,
    userId: '',
    role: Role.UNSPECIFIED,
  })
})

test('finds an account by its id, even after a rename', async () => {
  const { account, accountId, userId, options } = await catalog.signIn('renamer')
  await catalog.accounts.renameAccount({ account, newName: `${account}-two` }, options)
  const byId = async (id: string) =>
    catalog.accounts.checkAccess(
      { accountId: id, realm: 'test', subject: 'renamer' },
      await catalog.asService('deployer'),
    )
  expect(await byId(accountId)).toMatchObject({ accountId, userId, role: Role.OWNER })
  expect(await failureOf(byId(userId))).toBe('account_not_found')
  expect(await failureOf(byId('no-id'))).toBe('account_not_found')
})

test('rejects unknown accounts and users', async () => {
  const { options } = await catalog.signIn('owner')
  for (const account of ['no-such', '', 'NO\0', 'x'.repeat(1000)]) {
    expect(await failureOf(ask(account, 'owner'))).toBe('account_not_found')
  }
  expect(await failureOf(catalog.accounts.checkAccess({ account: 'owner' }, options))).toBe(
    'wrong_caller',
  )
})
