import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type Answer, type LoneGateway } from './support/lone-gateway.ts'

const LIST = '/api/v1/agents'
const ME = '/api/v1/me'

let gateway: LoneGateway

beforeAll(async () => {
  gateway = await startLoneGateway({
    RATE_LIMIT_ADDRESS_PER_SECOND: '1',
    RATE_LIMIT_ADDRESS_BURST: '5',
    RATE_LIMIT_USER_PER_SECOND: '1',
    RATE_LIMIT_USER_BURST: '8',
  })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

/**
 * Sends requests until one is rejected. Buckets gain one token a second, even on a slow machine.
 */
async function sendUntilRefused(send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!answers.some(({ status }) => status === 429)) {
    answers.push(...(await Promise.all(Array.from({ length: 10 }, send))))
  }
  return answers
}

const countOf = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length

test('rejects an address that sends too many requests, with Retry-After', async () => {
  // The catalog is unreachable, so requests within the limit get a 503.
  const answers = await sendUntilRefused(() => gateway.send('GET', LIST))
  expect(countOf(answers, 503)).toBeGreaterThanOrEqual(5)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({
    status: 429,
    code: 'rate_limited',
    title: 'Too Many Requests',
    detail: 'too many requests: the limit is 1 per second; retry later',
  })
  expect(refused?.headers.get('content-type')).toBe('application/problem+json')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const first = answers.find(({ headers }) => headers.get('ratelimit-remaining') === '4')?.headers
  expect(first?.get('ratelimit-limit')).toBe('5')
  expect(Number(first?.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1)
})

test('counts requests for unknown paths', async () => {
  const answers = await sendUntilRefused(() => gateway.send('GET', '/api/v1/nothing'))
  expect(answers.filter(({ status }) => status !== 404 && status !== 429)).toEqual([])
})

test('limits each user separately from anonymous requests of their address', async () => {
  const alice = await gateway.issuer.userToken('alice')
  const bob = await gateway.issuer.userToken('bob')
  // A request counts against the address until its token is verified; this one fetches the keys.
  const first = await gateway.send('GET', ME, { token: alice })
  const answers = await sendUntilRefused(() => gateway.send('GET', ME, { token: alice }))
  expect(countOf([first, ...answers], 503)).toBeGreaterThanOrEqual(8)
  expect(answers.find(({ status }) => status === 429)?.headers.get('ratelimit-limit')).toBe('8')
  expect((await gateway.send('GET', ME, { token: bob })).status).toBe(503)
})

test('counts requests with an invalid token against their address', async () => {
  const token = await gateway.issuer.userToken('eve', { foreignKey: true })
  const answers = await sendUntilRefused(() => gateway.send('GET', ME, { token }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
})

test.each([
  ['without a proxy', {}, ''],
  ['before the one that a trusted proxy has seen', { TRUSTED_PROXIES: '127.0.0.1' }, ', 192.0.2.1'],
])('ignores the addresses that a client claims to have, %s', async (_what, env, seen) => {
  const limit = { RATE_LIMIT_ADDRESS_PER_SECOND: '1', RATE_LIMIT_ADDRESS_BURST: '5' }
  await using limited = await startLoneGateway({ ...limit, ...env })
  const send = async (_: unknown, index: number) =>
    await limited.send('GET', LIST, {
      headers: { 'x-forwarded-for': `198.51.100.${index}${seen}` },
    })
  const answers = await Promise.all(Array.from({ length: 100 }, send))
  expect(countOf(answers, 429)).toBeGreaterThan(0)
})

test('counts requests for the documentation', async () => {
  await using limited = await startLoneGateway({
    RATE_LIMIT_ADDRESS_PER_SECOND: '1',
    RATE_LIMIT_ADDRESS_BURST: '5',
  })
  const answers = await sendUntilRefused(() => limited.send('GET', '/docs'))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
})

test('limits the changes of a user more strictly, and nothing else', async () => {
  await using limited = await startLoneGateway({
    RATE_LIMIT_CHANGES_PER_SECOND: '1',
    RATE_LIMIT_CHANGES_BURST: '3',
  })
  const [alice, bob] = await Promise.all(
    ['alice', 'bob'].map((user) => limited.issuer.userToken(user)),
  )
  const body = JSON.stringify({ name: 'team' })
  const change = (token = '') => limited.send('POST', '/api/v1/accounts', { token, body })
  const answers = await sendUntilRefused(() => change(alice))
  const refused = answers.find(({ status }) => status === 429)
  expect([refused?.body.detail, refused?.headers.get('ratelimit-limit')]).toEqual([
    'too many changes: the limit is 1 per second; retry later',
    '3',
  ])
  const target = JSON.stringify({ account: 'a', name: 'b' })
  const validate = () =>
    limited.send('POST', '/api/v1/deploy/validate', { token: alice ?? '', body: target })
  const others = [
    ...Array.from({ length: 10 }, validate),
    limited.send('GET', ME, { token: alice ?? '' }),
    change(bob),
  ]
  expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([503]))
})

test('does not limit health checks', async () => {
  for (let count = 0; count < 10; count += 1)
    expect((await gateway.send('GET', '/livez')).status).toBe(200)
})
