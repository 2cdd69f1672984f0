import { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'
import { readRemoteError } from '@slipway/shared/rpc'
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

test('finds the build or version that the request names', async () => {
  for (const buildId of ['b1', 'b2', 'b3']) await calls.register('named', { buildId })
  await calls.publish('named', 'b1', '1.0.0+first')
  await calls.publish('named', 'b3', '2.0.0')
  await calls.yank('named', '2.0.0')
  const resolve = async (asked: { buildId?: string; version?: string }, user = owner) =>
    await catalog.agents.resolveBuild(
      { accountId: user.accountId, sourceAccount: owner.account, name: 'named', ...asked },
      await catalog.asService('deployer'),
    )
  const { ASKED_FOR, NEWEST_BUILD, NEWEST_PUBLISHED } = BuildChoice
  expect(await resolve({})).toMatchObject({ buildId: 'b2', choice: NEWEST_BUILD, yanked: false })
  expect(await resolve({}, stranger)).toMatchObject({ buildId: 'b1', choice: NEWEST_PUBLISHED })
  const first = { buildId: 'b1', version: '1.0.0+first', choice: ASKED_FOR }
  const yanked = { buildId: 'b3', version: '2.0.0', choice: ASKED_FOR, yanked: true }
  for (const user of [owner, stranger]) {
    expect(await resolve({ buildId: 'b1' }, user)).toMatchObject(first)
    // Build metadata doesn't make another version.
    expect(await resolve({ version: '1.0.0' }, user)).toMatchObject(first)
    expect(await resolve({ buildId: 'b1', version: '1.0.0' }, user)).toMatchObject(first)
    expect(await resolve({ version: '2.0.0' }, user)).toMatchObject(yanked)
    expect(await failureOf(resolve({ buildId: 'b1', version: '2.0.0' }, user))).toBe(
      'version_mismatch',
    )
    expect(await failureOf(resolve({ version: '3.0.0' }, user))).toBe('version_not_found')
    expect(await failureOf(resolve({ version: 'v1' }, user))).toBe('invalid_argument')
    expect(await failureOf(resolve({ buildId: 'b\0' }, user))).toBe('build_not_found')
  }
  expect(await resolve({ buildId: 'b2' })).toMatchObject({ buildId: 'b2', choice: ASKED_FOR })
  expect(await failureOf(resolve({ buildId: 'b2' }, stranger))).toBe('build_not_found')
})

test('says whether account or agent is unknown, and not what outsiders can’t see', async () => {
  await calls.register('private')
  const messageOf = async (call: Promise<unknown>): Promise<string> =>
    await call.then(
      () => 'ok',
      (error: unknown) => readRemoteError(error).message,
    )
  const asStranger = async (name: string) =>
    await messageOf(calls.resolve(name, owner.account, stranger.accountId))
  expect(await asStranger('private')).toBe(
    `no builds found for agent: account ${owner.account} has no published agent named "private"`,
  )
  const same = (await asStranger('no-such')).replace('no-such', 'private')
  expect(same).toBe(await asStranger('private'))
  expect(await messageOf(calls.resolve('no-such'))).toBe(
    `no builds found for agent: account ${owner.account} has no agent named "no-such"`,
  )
  expect(await failureOf(calls.resolve('no-such'))).toBe('no_builds')
  expect(await failureOf(calls.resolve('NO\0'))).toBe('no_builds')
  expect(await failureOf(calls.resolve('resolved', 'no-such-account'))).toBe('account_not_found')
  expect(await messageOf(calls.resolve('resolved', 'no-such-account'))).toMatch(
    /^account not found: no account is named "no-such-account"; /,
  )
  expect(await failureOf(calls.resolve('resolved', '', 'no-id'))).toBe('account_not_found')
  const asUser = catalog.agents.resolveBuild(
    { accountId: owner.accountId, name: 'resolved' },
    owner.options,
  )
  expect(await failureOf(asUser)).toBe('wrong_caller')
})
