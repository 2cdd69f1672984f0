import { transaction } from '@slipway/shared/db'
import { expect, test } from 'vitest'

import { deleteBuilds, findBuild, lockAgent } from '../src/db/builds.ts'
import { catalogWithBuilds } from './support/build-calls.ts'

const { catalog, owner, calls } = await catalogWithBuilds()

async function remove(name: string, ...buildIds: string[]) {
  await transaction(catalog.db, async (trx) => {
    const agent = await lockAgent(trx, { accountId: owner.accountId, name })
    const agentId = agent?.id ?? ''
    const builds = await Promise.all(buildIds.map((id) => findBuild(trx, { agentId, buildId: id })))
    await deleteBuilds(trx, { agentId, ordinals: builds.map((build) => build?.ordinal ?? 0) })
  })
}

/** What all readers of the latest build and of the number of builds return. */
async function readers(name: string) {
  const { accounts } = await catalog.accounts.getProfile({}, owner.options)
  const counted = accounts.flatMap(({ agents }) => agents).find((agent) => agent.name === name)
  const { agents } = await catalog.agents.listAccountAgents(
    { account: owner.account },
    owner.options,
  )
  const listed = agents.find((agent) => agent.name === name)
  return {
    count: counted?.buildCount,
    registry: counted?.registry,
    listed: listed?.versions.map(({ buildId }) => buildId),
    resolved: (await calls.resolve(name)).buildId,
    builds: (await calls.detail(name, owner)).builds,
  }
}

test('the newest remaining build is the latest, whichever builds were deleted', async () => {
  const name = 'gaps'
  for (const buildId of ['b1', 'b2', 'b3', 'b4', 'b5'])
    await calls.register(name, { buildId, registry: `r.example/${buildId}` })
  await remove(name, 'b2')
  expect(await readers(name)).toEqual({
    count: 4,
    registry: 'r.example/b5',
    listed: ['b5'],
    resolved: 'b5',
    builds: ['b5', 'b4', 'b3', 'b1'],
  })

  await remove(name, 'b5', 'b3')
  expect(await readers(name)).toEqual({
    count: 2,
    registry: 'r.example/b4',
    listed: ['b4'],
    resolved: 'b4',
    builds: ['b4', 'b1'],
  })

  await calls.register(name, { buildId: 'b6', registry: 'r.example/b6' })
  await remove(name, 'b4')
  expect(await readers(name)).toEqual({
    count: 2,
    registry: 'r.example/b6',
    listed: ['b6'],
    resolved: 'b6',
    builds: ['b6', 'b1'],
  })

  await remove(name, 'b6')
  await calls.register(name, { buildId: 'b2', registry: 'r.example/b2' })
  expect(await readers(name)).toEqual({
    count: 2,
    registry: 'r.example/b2',
    listed: ['b2'],
    resolved: 'b2',
    builds: ['b2', 'b1'],
  })
})
