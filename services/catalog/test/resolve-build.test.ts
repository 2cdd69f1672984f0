import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, specOf } from './support/catalog.ts'

const { catalog, owner, stranger, calls } = await catalogWithBuilds()

test('finds the latest own build, or the latest published build of another account', async () => {
  await calls.register('resolved', { buildId: 'b1' })
  await calls.register('resolved', { buildId: 'b2' })
  expect(await failureOf(calls.resolve('resolved', owner.account, stranger.accountId))).toBe(
    'no_builds',
  )
  await calls.publish('resolved', 'b1', '1.0.0')
  expect(await calls.resolve('resolved')).toMatchObject({
    account: owner.account,
    sourceAccount: owner.account,
    sourceAccountId: owner.accountId,
    buildId: 'b2',
    registry: 'oci://registry.example/team',
    specContent: specOf('resolved'),
  })
  expect((await calls.resolve('resolved')).version).toBeUndefined()
  expect(await calls.resolve('resolved', owner.account)).toMatchObject({ buildId: 'b2' })
  expect(await calls.resolve('resolved', owner.account, stranger.accountId)).toMatchObject({
    account: stranger.account,
    sourceAccount: owner.account,
    buildId: 'b1',
    version: '1.0.0',
  })
})

test('reports that there is no build, whatever is missing', async () => {
  expect(await failureOf(calls.resolve('no-such'))).toBe('no_builds')
  expect(await failureOf(calls.resolve('NO\0'))).toBe('no_builds')
  expect(await failureOf(calls.resolve('resolved', 'no-such-account'))).toBe('no_builds')
  expect(await failureOf(calls.resolve('resolved', '', 'no-id'))).toBe('account_not_found')
  const asUser = catalog.agents.resolveBuild(
    { accountId: owner.accountId, name: 'resolved' },
    owner.options,
  )
  expect(await failureOf(asUser)).toBe('wrong_caller')
})
