import { waitFor } from '@slipway/shared/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { register, startCatalogAndGateways, type CatalogAndGateways } from '../support/catalog-and-gateways.ts'

/** What another replica may take to show a change. */
const OTHER_REPLICA_MS = 1_000

let system: CatalogAndGateways

beforeAll(async () => {
  system = await startCatalogAndGateways([{}, {}])
})

afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

/** The version of an agent that a gateway's public list shows. */
async function listed(gateway: number, account: string, name: string): Promise<string | undefined> {
  const { body } = await system.send(gateway, 'GET', '/agents')
  return body.agents.find(
    (agent: { account: string; name: string }) => agent.account === account && agent.name === name,
  )?.versions[0].version
}

describe.each([
  ['NATS is there', true],
  ['NATS is away', false],
])('while %s', (_when, isThere) => {
  beforeAll(async () => {
    if (!isThere) await system.nats.stop()
  })
  afterAll(async () => {
    if (!isThere) await system.nats.start()
  })
  const name = isThere ? 'with-events' : 'without-events'

  test('a publish is in the same gateway’s list at once, and in the other’s within a second', async () => {
    const account = await register(system, 0, { as: 'alice', name, buildId: 'b1' })
    // Both have an answer in memory that lacks the agent.
    expect(await Promise.all([0, 1].map((gateway) => listed(gateway, account, name)))).toEqual([undefined, undefined])
    await register(system, 0, { as: 'alice', name, buildId: 'b1', version: '1.0.0' })
    expect(await listed(0, account, name)).toBe('1.0.0')
    await waitFor(async () => (await listed(1, account, name)) === '1.0.0', {
      what: 'the version in the other gateway’s list',
      timeoutMs: OTHER_REPLICA_MS,
    })
  })

  test('so is a yank', async () => {
    const account = await register(system, 0, { as: 'alice', name, buildId: 'b2', version: '2.0.0' })
    await Promise.all([0, 1].map((gateway) => listed(gateway, account, name)))
    const yanked = await system.send(1, 'POST', `/agents/${account}/${name}/versions/2.0.0/yank`, { as: 'alice' })
    expect(yanked.status).toBe(200)
    expect(await listed(1, account, name)).toBe('1.0.0')
    await waitFor(async () => (await listed(0, account, name)) === '1.0.0', {
      what: 'the version before in the other gateway’s list',
      timeoutMs: OTHER_REPLICA_MS,
    })
  })

  test('so is a rename: the old name is gone at once', async () => {
    const account = await register(system, 0, { as: `${name}-person`, name, buildId: 'b1', version: '1.0.0' })
    const path = `/agents/${account}/${name}`
    expect(
      (await Promise.all([0, 1].map((gateway) => system.send(gateway, 'GET', path)))).map(({ status }) => status),
    ).toEqual([200, 200])
    const body = { name: `${account}-new` }
    expect((await system.send(0, 'PUT', `/accounts/${account}`, { as: `${name}-person`, body })).status).toBe(200)
    expect((await system.send(0, 'GET', path)).body).toMatchObject({ status: 404, error: 'account not found' })
    expect(await listed(0, account, name)).toBeUndefined()
    expect(await listed(0, `${account}-new`, name)).toBe('1.0.0')
    await waitFor(async () => (await system.send(1, 'GET', path)).status === 404, {
      what: 'the old name to be gone in the other gateway',
      timeoutMs: OTHER_REPLICA_MS,
    })
  })

  test('a read that began before a change can’t bring the old answer back', async () => {
    const account = await register(system, 0, { as: 'alice', name: `${name}-held`, buildId: 'b1' })
    const [line] = system.lines
    // Nobody has asked this before, so it is read now, and its answer waits on the line.
    const query = `/agents?account=${account}&q=${name}-held`
    line?.hold()
    const before = system.send(0, 'GET', query)
    const published = register(system, 1, { as: 'alice', name: `${name}-held`, buildId: 'b1', version: '1.0.0' })
    await published
    const after = system.send(0, 'GET', query)
    line?.release()
    expect((await before).status).toBe(200)
    // Whether the second joined the first is for the event and the clock to say; what comes now is for nobody.
    await after
    await waitFor(async () => (await system.send(0, 'GET', query)).body.count === 1, {
      what: 'the agent in the list',
      timeoutMs: OTHER_REPLICA_MS,
    })
  })
})
