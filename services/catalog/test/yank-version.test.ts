import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf } from './support/catalog.ts'

const { catalog, owner, stranger, calls } = await catalogWithBuilds()

const listed = async (name: string) => {
  const { agents } = await catalog.agents.listAgents({ account: owner.account, query: name })
  return agents[0]?.versions[0]?.version
}

test('shows a yanked version, but never as the latest', async () => {
  for (const [buildId, version] of [
    ['b1', '1.0.0'],
    ['b2', '2.0.0'],
  ] as const) {
    await calls.register('yanked', { buildId })
    await calls.publish('yanked', buildId, version)
  }
  expect(await listed('yanked')).toBe('2.0.0')
  expect(await calls.yank('yanked', '2.0.0')).toMatchObject({ buildId: 'b2' })
  expect(await calls.yank('yanked', '2.0.0')).toMatchObject({ buildId: 'b2' })
  expect(await listed('yanked')).toBe('1.0.0')
  expect((await calls.detail('yanked')).versions).toMatchObject([
    { version: '2.0.0', yanked: true },
    { version: '1.0.0', yanked: false },
  ])
  expect(await calls.resolve('yanked', owner.account, stranger.accountId)).toMatchObject({
    version: '1.0.0',
  })
  await calls.yank('yanked', '1.0.0')
  expect(await listed('yanked')).toBeUndefined()
  expect((await calls.detail('yanked')).builds).toEqual(['b2', 'b1'])
  expect(await failureOf(calls.resolve('yanked', owner.account, stranger.accountId))).toBe(
    'no_builds',
  )
  await calls.unyank('yanked', '2.0.0')
  expect(await listed('yanked')).toBe('2.0.0')
})

test('needs a published version and the role', async () => {
  await calls.register('unyankable')
  await calls.publish('unyankable', 'b1', '1.0.0+a')
  expect(await failureOf(calls.yank('unyankable', '1.0.0'))).toBe('version_not_found')
  expect(await failureOf(calls.yank('unyankable', '3.0.0'))).toBe('version_not_found')
  expect(await failureOf(calls.yank('unyankable', 'one'))).toBe('invalid_argument')
  expect(await failureOf(calls.yank('no-such', '1.0.0'))).toBe('agent_not_found')
  expect(await failureOf(calls.yank('unyankable', '1.0.0+a', stranger))).toBe('permission_denied')
})
