import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  register,
  startCatalogAndGateways,
  type CatalogAndGateways,
  type SentAnswer,
} from '../support/catalog-and-gateways.ts'

// Two gateways in front of one catalog: the database decides which request is first.
const RACERS = 50
const NO_LIMITS = {
  RATE_LIMIT_ADDRESS_PER_SECOND: '100000',
  RATE_LIMIT_ADDRESS_BURST: '100000',
  RATE_LIMIT_USER_PER_SECOND: '100000',
  RATE_LIMIT_USER_BURST: '100000',
  RATE_LIMIT_CHANGES_BURST: '100000',
}

let system: CatalogAndGateways
beforeAll(async () => {
  system = await startCatalogAndGateways([NO_LIMITS, NO_LIMITS])
})
afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

/** Sends many requests concurrently, alternating between the gateways. */
async function race(
  send: (gateway: number, index: number) => Promise<SentAnswer>,
): Promise<SentAnswer[]> {
  return await Promise.all(
    Array.from({ length: RACERS }, async (_, index) => await send(index % 2, index)),
  )
}

/** Counts outcomes by status, and by code when it is a problem. */
function outcomes(answers: readonly SentAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = `${status} ${body.code ?? ''}`.trim()
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

test('assigns a version to one of many builds that claim it', async () => {
  const ids = Array.from({ length: RACERS }, (_, index) => `b${index}`)
  let account = ''
  for (const buildId of ids)
    account = await register(system, 0, { as: 'ann', name: 'prize', buildId })
  const path = `/agents/${account}/prize`
  const answers = await race(async (gateway, index) => {
    const body = { build_id: ids[index], version: '1.0.0' }
    return await system.send(gateway, 'POST', `${path}/publish`, { as: 'ann', body })
  })
  expect(outcomes(answers)).toEqual({ 201: 1, '400 version_taken': RACERS - 1 })
  const winner = answers.find(({ status }) => status === 201)?.body.build_id
  const { body } = await system.send(0, 'GET', path)
  expect(body.versions).toMatchObject([{ build_id: winner, version: '1.0.0' }])
})

test('creates one account for many first calls of a new user', async () => {
  const answers = await race(
    async (gateway) => await system.send(gateway, 'GET', '/me', { as: 'newcomer' }),
  )
  expect(outcomes(answers)).toEqual({ 200: RACERS })
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]?.body.accounts).toMatchObject([
    { name: 'newcomer', type: 'personal', role: 'owner' },
  ])
})

test('assigns an account name to one of many users who request it', async () => {
  const answers = await race(
    async (gateway, index) =>
      await system.send(gateway, 'POST', '/accounts', {
        as: `person-${index % 5}`,
        body: { name: 'wanted' },
      }),
  )
  expect(outcomes(answers)).toEqual({ 201: 1, '400 account_name_taken': RACERS - 1 })
})

test('executes one of many renames of an account, and one of many to the same name', async () => {
  await system.send(0, 'POST', '/accounts', { as: 'ann', body: { name: 'moving' } })
  const moved = await race(
    async (gateway, index) =>
      await system.send(gateway, 'PUT', '/accounts/moving', {
        as: 'ann',
        body: { name: `moved-${index}` },
      }),
  )
  expect(outcomes(moved)).toEqual({ 200: 1, '404 account_not_found': RACERS - 1 })
  const name = moved.find(({ status }) => status === 200)?.body.name
  expect((await system.send(1, 'GET', `/agents/${name}`)).status).toBe(200)

  const teams = Array.from({ length: RACERS }, (_, index) => `team-${index}`)
  for (const team of teams)
    await system.send(0, 'POST', '/accounts', { as: 'ann', body: { name: team } })
  const renamed = await race(
    async (gateway, index) =>
      await system.send(gateway, 'PUT', `/accounts/${teams[index]}`, {
        as: 'ann',
        body: { name: 'sought' },
      }),
  )
  expect(outcomes(renamed)).toEqual({ 200: 1, '400 account_name_taken': RACERS - 1 })
})

test('runs one of many requests with an idempotency key, and replays its response', async () => {
  const twin = { as: 'ann', body: { name: 'twins' }, headers: { 'idempotency-key': 'one-key' } }
  const answers = await race(
    async (gateway) => await system.send(gateway, 'POST', '/accounts', twin),
  )
  const { 201: made = 0, '409 idempotency_key_in_use': refused = 0, ...others } = outcomes(answers)
  expect([made > 0, made + refused, others]).toEqual([true, RACERS, {}])
  const later = await system.send(1, 'POST', '/accounts', twin)
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect(
    new Set([later, ...answers].filter(({ status }) => status === 201).map(({ text }) => text))
      .size,
  ).toBe(1)
})
