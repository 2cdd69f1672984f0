import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, outcomeOf, specOf } from './support/catalog.ts'

const { catalog, owner, stranger, calls } = await catalogWithBuilds()

test('makes a build public', async () => {
  await calls.register('public', { buildId: 'b1' })
  await calls.register('public', { buildId: 'b2' })
  await calls.publish('public', 'b1', '1.0.0')
  expect(await calls.detail('public')).toMatchObject({ builds: ['b1'] })
  expect(await calls.detail('public', stranger)).toMatchObject({ builds: ['b1'] })
  const [published] = (await calls.detail('public')).versions ?? []
  expect(published).toMatchObject({ version: '1.0.0', validationWarnings: [] })
  expect(published?.publishTime).toBeDefined()
  expect(published?.registerTime).toBeUndefined()
  expect(await calls.detail('public', owner)).toMatchObject({ builds: ['b2', 'b1'] })
})

test('lists the highest version first, even when it was published earlier', async () => {
  for (const [index, version] of ['1.10.0', '1.9.0', '2.0.0-rc.2', '2.0.0-rc.10'].entries()) {
    await calls.register('sorted', { buildId: `b${index}` })
    await calls.publish('sorted', `b${index}`, version)
  }
  const { versions } = await calls.detail('sorted')
  expect(versions?.map(({ version }) => version)).toEqual([
    '2.0.0-rc.10',
    '2.0.0-rc.2',
    '1.10.0',
    '1.9.0',
  ])
  expect(await calls.resolve('sorted', owner.account, stranger.accountId)).toMatchObject({
    version: '1.10.0',
  })
})

test('omits tags that are too long for the index, with a warning', async () => {
  const long = randomBytes(6000).toString('hex')
  const { validationWarnings } = await calls.register('tagged', {
    specContent: specOf('tagged', `meta: {tags: [kept, ${long}]}\n`),
  })
  expect(validationWarnings).toMatchObject([{ field: 'meta.tags[1]' }])
  await calls.publish('tagged', 'b1', '1.0.0')
  const { agents } = await catalog.agents.listAgents({ query: 'tagged' })
  expect(agents).toMatchObject([{ versions: [{ tags: ['kept'] }] }])
})

test('accepts the same version again, and rejects another one for the build', async () => {
  await calls.register('twice')
  await calls.publish('twice', 'b1', '1.0.0')
  await calls.publish('twice', 'b1', '1.0.0')
  expect(await failureOf(calls.publish('twice', 'b1', '1.0.1'))).toBe('build_published')
  expect(await failureOf(calls.publish('twice', 'b1', '1.0.0+linux'))).toBe('build_published')
})

test('rejects a version of another build, even with other build metadata', async () => {
  await calls.register('taken', { buildId: 'b1' })
  await calls.register('taken', { buildId: 'b2' })
  await calls.publish('taken', 'b1', '1.0.0+one')
  expect(await failureOf(calls.publish('taken', 'b2', '1.0.0'))).toBe('version_taken')
  expect(await failureOf(calls.publish('taken', 'b2', '1.0.0+two'))).toBe('version_taken')
  await calls.publish('taken', 'b2', '0.9.0')
})

test('assigns a version to one of fifty concurrent builds', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => `b${index}`)
  for (const buildId of ids) await calls.register('race', { buildId })
  const outcomes = await Promise.all(
    ids.map((buildId) => outcomeOf(calls.publish('race', buildId, '1.0.0'))),
  )
  expect(outcomes.toSorted()).toEqual(['ok', ...Array.from({ length: 49 }, () => 'version_taken')])
  expect((await calls.detail('race')).builds).toEqual([ids[outcomes.indexOf('ok')]])
})

test('reports what is missing or invalid, in the order of the checks', async () => {
  await calls.register('order')
  expect(await failureOf(calls.publish('order', 'b1', 'v1.0.0'))).toBe('invalid_argument')
  expect(await failureOf(calls.publish('order', 'no-such', '1.0.0'))).toBe('build_not_found')
  expect(await failureOf(calls.publish('no-such', 'b1', '1.0.0'))).toBe('agent_not_found')
  expect(await failureOf(calls.publish('order', 'b1', '1.0.0', stranger))).toBe('permission_denied')
  expect(await failureOf(calls.publish('no-such', 'b1', '1.0.0', stranger))).toBe(
    'permission_denied',
  )
  const nowhere = { account: 'no-such-account', name: 'order', buildId: 'b1', version: '1.0.0' }
  expect(await failureOf(catalog.agents.publishBuild(nowhere, stranger.options))).toBe(
    'account_not_found',
  )
  expect(
    await failureOf(catalog.agents.publishBuild({ ...nowhere, version: '1' }, stranger.options)),
  ).toBe('invalid_argument')
})

test('an invalid token is ignored where callers are optional', async () => {
  await calls.register('seen')
  await calls.publish('seen', 'b1', '1.0.0')
  await calls.register('seen', { buildId: 'b2' })
  const expired = await catalog.issuer.userToken('owner', { claims: { exp: 1 } })
  const options = { headers: { authorization: `Bearer ${expired}` } }
  const { agent } = await catalog.agents.getAgent({ account: owner.account, name: 'seen' }, options)
  expect(agent?.versions.map(({ buildId }) => buildId)).toEqual(['b1'])
  expect((await catalog.agents.listAgents({ query: 'seen' }, options)).agents).toHaveLength(1)
  expect(await failureOf(catalog.accounts.getProfile({}, options))).toBe('token_expired')
})
