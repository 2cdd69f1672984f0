import { expect, test } from 'vitest'

import { catalogWithBuilds } from './support/build-calls.ts'
import { failureOf, outcomeOf } from './support/catalog.ts'

const { catalog, owner, calls } = await catalogWithBuilds()

async function remove(name: string, buildId: string, dryRun = false) {
  const { account, options } = owner
  await catalog.agents.deleteBuild({ account, name, buildId, dryRun }, options)
}

/** What all readers of the latest build and of the number of builds return. */
async function readers(name: string) {
  const { accounts } = await catalog.accounts.getProfile({}, owner.options)
  const counted = accounts.flatMap(({ agents }) => agents).find((agent) => agent.name === name)
  const { account, options } = owner
  const { agents } = await catalog.agents.listAccountAgents({ account }, options)
  const listed = agents.find((agent) => agent.name === name)
  return {
    count: counted?.buildCount,
    registry: counted?.registry,
    listed: listed?.versions.map(({ buildId }) => buildId),
    resolved: (await calls.resolve(name)).buildId,
    builds: (await calls.detail(name, owner)).builds,
  }
}

/** What they return when these are the builds, newest first. */
function readingOf(...builds: [string, ...string[]]) {
  const [latest] = builds
  return {
    count: builds.length,
    registry: `r.example/${latest}`,
    listed: [latest],
    resolved: latest,
    builds,
  }
}

test('the newest remaining build is the latest, whichever builds were deleted', async () => {
  const name = 'gaps'
  const register = (buildId: string) =>
    calls.register(name, { buildId, registry: `r.example/${buildId}` })
  for (const buildId of ['b1', 'b2', 'b3', 'b4', 'b5']) await register(buildId)
  await remove(name, 'b2')
  expect(await readers(name)).toEqual(readingOf('b5', 'b4', 'b3', 'b1'))

  await remove(name, 'b5')
  expect(await readers(name)).toEqual(readingOf('b4', 'b3', 'b1'))

  await register('b6')
  await remove(name, 'b4')
  expect(await readers(name)).toEqual(readingOf('b6', 'b3', 'b1'))

  await remove(name, 'b6')
  await remove(name, 'b3')
  await register('b2')
  expect(await readers(name)).toEqual(readingOf('b2', 'b1'))
})

test('a dry run deletes nothing; a deleted build is unknown until registered again', async () => {
  const name = 'dry'
  await calls.register(name, { buildId: 'b1', readme: 'old' })
  await calls.register(name, { buildId: 'b2' })
  await remove(name, 'b1', true)
  expect((await calls.detail(name, owner)).builds).toEqual(['b2', 'b1'])

  await remove(name, 'b1')
  expect(await failureOf(remove(name, 'b1'))).toBe('build_not_found')
  expect(await failureOf(calls.publish(name, 'b1', '1.0.0'))).toBe('build_not_found')
  await calls.register(name, { buildId: 'b1' })
  const { builds, versions } = await calls.detail(name, owner)
  expect(builds).toEqual(['b1', 'b2'])
  expect(versions?.[0]?.readme).toBe('')
})

test('keeps published builds, even yanked ones, and the only build', async () => {
  const name = 'kept'
  await calls.register(name, { buildId: 'b1' })
  expect(await failureOf(remove(name, 'b1'))).toBe('last_build')
  await calls.register(name, { buildId: 'b2' })
  await calls.publish(name, 'b1', '1.0.0')
  await calls.yank(name, '1.0.0')
  expect(await failureOf(remove(name, 'b1', true))).toBe('build_published')
  expect(await failureOf(remove(name, 'b1'))).toBe('build_published')
  expect(await failureOf(remove('no-such', 'b1'))).toBe('agent_not_found')
  expect(await failureOf(remove(name, '-'))).toBe('invalid_argument')
})

test('deletions at once leave one build; of a publication and a deletion, one wins', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `b${index}`)
  for (const buildId of ids) await calls.register('crowd', { buildId })
  const removed = await Promise.all([...ids, ...ids].map((id) => outcomeOf(remove('crowd', id))))
  expect(removed.filter((outcome) => outcome === 'ok')).toHaveLength(ids.length - 1)
  expect((await calls.detail('crowd', owner)).builds).toHaveLength(1)

  await calls.register('race', { buildId: 'kept' })
  for (let round = 0; round < 10; round += 1) {
    const buildId = `b${round}`
    await calls.register('race', { buildId })
    const outcomes = await Promise.all([
      outcomeOf(remove('race', buildId)),
      outcomeOf(calls.publish('race', buildId, `1.0.${round}`)),
    ])
    expect(outcomes).toSatisfy(
      ([deleted, published]) =>
        (deleted === 'ok' && published === 'build_not_found') ||
        (deleted === 'build_published' && published === 'ok'),
    )
  }
})
