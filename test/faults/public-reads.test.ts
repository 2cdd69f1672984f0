import { waitFor } from '@slipway/testing'
import { AnswerCache } from '@slipway/gateway/answer-cache'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  register,
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'

/** Longer than these tests take: only events drop answers, and held reads don't time out. */
const LONG_MS = 600_000
const ROOMY = { RATE_LIMIT_ADDRESS_BURST: '100000', MAX_CONNECTIONS_PER_ADDRESS: '5000' }

let system: CatalogAndGateways
let caches: AnswerCache[]

/**
 * Starts two gateways. They keep answers for a long time if NATS is running, otherwise as long as
 * usual.
 */
async function start(isNatsRunning: boolean): Promise<void> {
  caches = isNatsRunning
    ? [0, 1].map(() => new AnswerCache({ maxBytes: 64 * 1024 * 1024, timeLimitMs: LONG_MS }))
    : []
  const overrides = caches.map((answerCache) => ({ answerCache, publicReadMs: LONG_MS }))
  system = await startCatalogAndGateways([ROOMY, ROOMY], overrides)
  if (!isNatsRunning) await system.nats.stop()
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

/** Waits until a gateway has dropped all answers in memory. */
async function dropped(gateway: number): Promise<void> {
  await waitFor(() => caches[gateway]?.bytes === 0, { what: 'the answers to be dropped' })
}

/** The version of an agent in a gateway's public list. */
async function listed(gateway: number, account: string, name: string): Promise<string | undefined> {
  const { body } = await system.send(gateway, 'GET', '/agents')
  return body.agents.find(
    (agent: { account: string; name: string }) => agent.account === account && agent.name === name,
  )?.versions[0].version
}

describe.each([
  ['NATS is running', true],
  ['NATS is down', false],
])('while %s', (_when, isRunning) => {
  beforeAll(async () => await start(isRunning))
  afterAll(stop)
  const name = isRunning ? 'with-events' : 'without-events'

  test('a publish is visible in the same gateway immediately, and soon in the other', async () => {
    const account = await register(system, 0, { as: 'alice', name, buildId: 'b1' })
    // Both keep an answer without the agent.
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

  test('a yank is visible in the same gateway immediately, and soon in the other', async () => {
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
      what: 'the previous version in the other gateway’s list',
    })
  })

  test('a rename is visible in the same gateway immediately, and soon in the other', async () => {
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
      what: 'the old name to be absent in the other gateway',
    })
  })
})

describe('answers that only events drop', () => {
  beforeAll(async () => await start(true))
  afterAll(stop)

  test('are dropped after another gateway’s change', async () => {
    await prime(1)
    const account = await register(system, 0, {
      as: 'alice',
      name: 'dropping',
      buildId: 'b1',
      version: '1.0.0',
    })
    await dropped(1)
    expect(await listed(1, account, 'dropping')).toBe('1.0.0')
  })

  test('are dropped by a published build’s new readme, not by an unpublished build', async () => {
    const agent = { as: 'alice', name: 'discreet' }
    await prime(0)
    const account = await register(system, 1, { ...agent, buildId: 'b1', version: '1.0.0' })
    // The event of the publication can't disturb the rest.
    await dropped(0)
    const kept = async () => (caches[0]?.bytes ?? 0) > 0
    const registerAs = async (buildId: string, readme: string) => {
      const spec = 'spec: astro/v1\nname: discreet\n'
      const body = { build_id: buildId, registry: 'oci://registry.example/x', readme }
      const path = `/agents/${account}/discreet/register`
      await system.send(0, 'POST', path, { as: 'alice', body: { ...body, spec_content: spec } })
    }
    await prime(0)
    await registerAs('b2', 'not yet')
    expect(await kept()).toBe(true)
    await registerAs('b1', 'new')
    expect(await kept()).toBe(false)
    await prime(1)
    await registerAs('b1', 'newer')
    await dropped(1)
  })

  test('are dropped when NATS is back, since an event may have been missed', async () => {
    // Primed while NATS is down, so that no late event drops the answer.
    await system.nats.stop()
    await prime(0)
    await system.nats.start()
    await dropped(0)
    expect(caches[0]?.bytes).toBe(0)
  })

  test('are not dropped by requests without the right to change the catalog', async () => {
    const account = await register(system, 0, { as: 'alice', name: 'guarded', buildId: 'b1' })
    await system.nats.stop()
    await prime(0)
    const body = { build_id: 'b1', version: '1.0.0' }
    const { status } = await system.send(0, 'POST', `/agents/${account}/guarded/publish`, {
      as: 'mallory',
      body,
    })
    expect([status, (caches[0]?.bytes ?? 0) > 0]).toEqual([403, true])
    await system.nats.start()
    await dropped(0)
  })

  /**
   * Starts a read at gateway 0 and holds its answer while gateway 1 changes the agent and the event
   * arrives.
   */
  async function readDuringChange(name: string) {
    const account = await register(system, 1, { as: 'alice', name, buildId: 'b1' })
    const query = `/agents?account=${account}&q=${name}`
    await prime(0)
    const [line] = system.lines
    line?.hold()
    const before = system.send(0, 'GET', query)
    // The catalog has answered from its state before the change.
    await waitFor(() => (line?.heldAnswers ?? 0) > 0, {
      what: 'the answer to be held by the proxy',
    })
    await register(system, 1, { as: 'alice', name, buildId: 'b1', version: '1.0.0' })
    await dropped(0)
    return { query, before, release: () => line?.release() }
  }

  test('are not shared with a read that began after the change', async () => {
    const { query, before, release } = await readDuringChange('joined')
    const after = system.send(0, 'GET', query)
    // The catalog's answers arrive in order.
    release()
    expect((await before).body.count).toBe(0)
    expect((await after).body.count).toBe(1)
    expect((await system.send(0, 'GET', query)).body.count).toBe(1)
  })

  test('are not kept when the read began before a change', async () => {
    const { query, before, release } = await readDuringChange('kept')
    release()
    expect((await before).body.count).toBe(0)
    expect((await system.send(0, 'GET', query)).body.count).toBe(1)
  })

  test('rejects reads over the limit of waiting ones, and answers the others', async () => {
    const [line] = system.lines
    line?.hold()
    const reads = Array.from({ length: 1_100 }, (_, index) =>
      system.send(0, 'GET', `/agents?account=x${index}`),
    )
    const refused = await Promise.any(
      reads.map(async (read) => {
        const answer = await read
        return answer.body.code === 'overloaded'
          ? answer
          : await Promise.reject(new Error('not rejected'))
      }),
    )
    line?.release()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const answers = await Promise.all(reads)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(700)
  })
})
