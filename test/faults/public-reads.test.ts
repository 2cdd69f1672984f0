import { waitFor } from '@slipway/testing'
import { AnswerCache } from '@slipway/gateway/answer-cache'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  register,
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'

/**
 * Far longer than these tests take: what goes in time was dropped, and no read that they hold up
 * ends by itself.
 */
const LONG_MS = 600_000
const ROOMY = { RATE_LIMIT_ADDRESS_BURST: '100000', MAX_CONNECTIONS_PER_ADDRESS: '5000' }

let system: CatalogAndGateways
let caches: AnswerCache[]

/**
 * Two gateways. Their answers live long when they have events to tell of changes, as long as usual
 * when not.
 */
async function start(isNatsThere: boolean): Promise<void> {
  caches = isNatsThere
    ? [0, 1].map(() => new AnswerCache({ maxBytes: 64 * 1024 * 1024, timeLimitMs: LONG_MS }))
    : []
  const overrides = caches.map((answerCache) => ({ answerCache, publicReadMs: LONG_MS }))
  system = await startCatalogAndGateways([ROOMY, ROOMY], overrides)
  if (!isNatsThere) await system.nats.stop()
}

async function stop(): Promise<void> {
  await system[Symbol.asyncDispose]()
}

/** Puts an answer into a gateway's memory. */
async function prime(gateway: number): Promise<void> {
  await waitFor(
    async () => {
      await system.send(gateway, 'GET', '/agents?limit=7')
      return (caches[gateway]?.bytes ?? 0) > 0
    },
    { what: 'an answer in memory' },
  )
}

/** Waits until a gateway has forgotten what it had in memory. */
async function forgotten(gateway: number): Promise<void> {
  await waitFor(() => caches[gateway]?.bytes === 0, { what: 'the answers to be dropped' })
}

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
  beforeAll(async () => await start(isThere))
  afterAll(stop)
  const name = isThere ? 'with-events' : 'without-events'

  test('a publish is in the same gateway’s list at once, and soon in the other’s', async () => {
    const account = await register(system, 0, { as: 'alice', name, buildId: 'b1' })
    // Both have an answer in memory that lacks the agent.
    expect(await Promise.all([0, 1].map((gateway) => listed(gateway, account, name)))).toEqual([
      undefined,
      undefined,
    ])
    await register(system, 0, { as: 'alice', name, buildId: 'b1', version: '1.0.0' })
    expect(await listed(0, account, name)).toBe('1.0.0')
    await waitFor(async () => (await listed(1, account, name)) === '1.0.0', {
      what: 'the version in the other gateway’s list',
    })
  })

  test('so is a yank', async () => {
    const account = await register(system, 0, {
      as: 'alice',
      name,
      buildId: 'b2',
      version: '2.0.0',
    })
    await Promise.all([0, 1].map((gateway) => listed(gateway, account, name)))
    const yanked = await system.send(1, 'POST', `/agents/${account}/${name}/versions/2.0.0/yank`, {
      as: 'alice',
    })
    expect(yanked.status).toBe(200)
    expect(await listed(1, account, name)).toBe('1.0.0')
    await waitFor(async () => (await listed(0, account, name)) === '1.0.0', {
      what: 'the version before in the other gateway’s list',
    })
  })

  test('so is a rename: the old name is gone at once', async () => {
    const account = await register(system, 0, {
      as: `${name}-person`,
      name,
      buildId: 'b1',
      version: '1.0.0',
    })
    const path = `/agents/${account}/${name}`
    expect(
      (await Promise.all([0, 1].map((gateway) => system.send(gateway, 'GET', path)))).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200])
    const body = { name: `${account}-new` }
    expect(
      (await system.send(0, 'PUT', `/accounts/${account}`, { as: `${name}-person`, body })).status,
    ).toBe(200)
    expect((await system.send(0, 'GET', path)).body).toMatchObject({
      status: 404,
      error: 'account not found',
    })
    expect(await listed(0, account, name)).toBeUndefined()
    expect(await listed(0, `${account}-new`, name)).toBe('1.0.0')
    await waitFor(async () => (await system.send(1, 'GET', path)).status === 404, {
      what: 'the old name to be gone in the other gateway',
    })
  })
})

describe('with nothing but events to tell of changes', () => {
  beforeAll(async () => await start(true))
  afterAll(stop)

  test('another gateway’s change drops what is in memory', async () => {
    await prime(1)
    const account = await register(system, 0, {
      as: 'alice',
      name: 'dropping',
      buildId: 'b1',
      version: '1.0.0',
    })
    await forgotten(1)
    expect(await listed(1, account, 'dropping')).toBe('1.0.0')
  })

  test('so does the return of NATS, since a change may have gone unheard', async () => {
    // No event that is late can be taken for it.
    await system.nats.stop()
    await prime(0)
    await system.nats.start()
    await forgotten(0)
    expect(caches[0]?.bytes).toBe(0)
  })

  test('who may not change the catalog can’t empty the memory either', async () => {
    await prime(1)
    const account = await register(system, 0, { as: 'alice', name: 'guarded', buildId: 'b1' })
    // The registration has been told of, and no later test hears of it.
    await forgotten(1)
    await system.nats.stop()
    await prime(0)
    const body = { build_id: 'b1', version: '1.0.0' }
    const { status } = await system.send(0, 'POST', `/agents/${account}/guarded/publish`, {
      as: 'mallory',
      body,
    })
    expect([status, (caches[0]?.bytes ?? 0) > 0]).toEqual([403, true])
    await system.nats.start()
    await forgotten(0)
  })

  /**
   * Has gateway 0 read something, whose answer waits on the line while gateway 1 changes it and its
   * event arrives.
   */
  async function readDuringChange(name: string) {
    // The registration is told of, too.
    await prime(0)
    const account = await register(system, 1, { as: 'alice', name, buildId: 'b1' })
    await forgotten(0)
    const query = `/agents?account=${account}&q=${name}`
    await prime(0)
    const [line] = system.lines
    line?.hold()
    const before = system.send(0, 'GET', query)
    // What it was read from is the catalog as it is now.
    await waitFor(() => (line?.heldAnswers ?? 0) > 0, { what: 'the answer to wait on the line' })
    await register(system, 1, { as: 'alice', name, buildId: 'b1', version: '1.0.0' })
    await forgotten(0)
    return { query, before, release: () => line?.release() }
  }

  test('who asks after a change doesn’t join a read that began before it', async () => {
    const { query, before, release } = await readDuringChange('joined')
    const after = system.send(0, 'GET', query)
    // The answers come in the order of their questions.
    release()
    expect((await before).body.count).toBe(0)
    expect((await after).body.count).toBe(1)
    expect((await system.send(0, 'GET', query)).body.count).toBe(1)
  })

  test('a read that began before a change and ends after it is not kept', async () => {
    const { query, before, release } = await readDuringChange('kept')
    release()
    expect((await before).body.count).toBe(0)
    expect((await system.send(0, 'GET', query)).body.count).toBe(1)
  })

  test('more different reads than can wait are refused at once, the others answered in the end', async () => {
    const [line] = system.lines
    line?.hold()
    const reads = Array.from({ length: 1_100 }, (_, index) =>
      system.send(0, 'GET', `/agents?q=x${index}`),
    )
    const refused = await Promise.any(
      reads.map(async (read) => {
        const answer = await read
        return answer.body.code === 'overloaded'
          ? answer
          : await Promise.reject(new Error('this one could wait'))
      }),
    )
    line?.release()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const answers = await Promise.all(reads)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(900)
  })
})
