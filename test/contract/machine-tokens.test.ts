import { createLogger } from '@slipway/shared/logger'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'

const REPLICAS = [0, 1] as const

let platform: CatalogAndGateways
let account = ''

beforeAll(async () => {
  platform = await startCatalogAndGateways([{}, {}])
  const { body } = await platform.send(0, 'GET', '/me', { as: 'alice' })
  account = body.accounts[0].name
})
afterAll(() => platform?.[Symbol.asyncDispose]())

async function create(body: object, headers = {}) {
  const path = `/accounts/${account}/tokens`
  return await platform.send(0, 'POST', path, { as: 'alice', body, headers })
}

async function withToken(replica: number, method: string, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return await platform.send(replica, method, path, { headers })
}

test('are shown once, and work on every replica until one of them revokes it', async () => {
  const made = await create({ name: 'deploys', role: 'admin', expires_in_days: 7 })
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
  const { token, ...shown } = made.body
  const list = await platform.send(1, 'GET', `/accounts/${account}/tokens`, { as: 'alice' })
  expect(list.body).toEqual({ tokens: [shown], count: 1 })
  for (const replica of REPLICAS) {
    const { status, body } = await withToken(replica, 'GET', '/me', token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { id: shown.created_by },
      accounts: [{ name: account, role: 'admin' }],
      machine_token: { id: shown.id, name: 'deploys', role: 'admin' },
    })
    expect(Object.keys(body.user)).toEqual(['id'])
  }
  const path = `/accounts/${account}/tokens/${shown.id}`
  const revoked = await platform.send(0, 'DELETE', path, { as: 'alice' })
  expect([revoked.status, revoked.body]).toEqual([200, { message: 'token revoked' }])
  const rejected = await withToken(0, 'GET', '/me', token)
  expect([rejected.status, rejected.body.code]).toEqual([401, 'invalid_token'])
  // The event drops it from the other replica's cache.
  await waitFor(async () => (await withToken(1, 'GET', '/me', token)).status === 401, {
    what: 'the other replica to reject the token',
  })
})

test('of one name are created once, whatever is sent again', async () => {
  const key = { 'idempotency-key': 'once' }
  const [first, second] = [
    await create({ name: 'again' }, key),
    await create({ name: 'again' }, key),
  ]
  expect([first.status, second.status, second.body.code]).toEqual([201, 400, 'token_name_taken'])
  expect(second.text).not.toContain(first.body.token)
})

test('count for their creator: ten tokens share the limit of one user', async () => {
  await using limited = await startCatalogAndGateways([
    { RATE_LIMIT_USER_PER_SECOND: '1', RATE_LIMIT_USER_BURST: '30' },
  ])
  const startedAt = performance.now()
  const { body } = await limited.send(0, 'GET', '/me', { as: 'bob' })
  const path = `/accounts/${body.accounts[0].name}/tokens`
  const tokens: string[] = []
  for (let index = 0; index < 10; index += 1) {
    const sent = { as: 'bob', body: { name: `ci ${index}` } }
    tokens.push((await limited.send(0, 'POST', path, sent)).body.token)
  }
  const senders = [
    ...tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } })),
    ...Array.from({ length: 10 }, () => ({ as: 'bob' as const })),
  ]
  const statuses = await Promise.all(
    senders.flatMap((sender) =>
      Array.from({ length: 5 }, async () => (await limited.send(0, 'GET', '/me', sender)).status),
    ),
  )
  // Each second allows one more.
  const allowed = 30 + Math.ceil((performance.now() - startedAt) / 1000)
  const served = statuses.filter((status) => status === 200).length
  expect(1 + tokens.length + served).toBeLessThanOrEqual(allowed)
  expect([200, 429]).toEqual(expect.arrayContaining([...new Set(statuses)]))
})

test('have no effect in a query, and are neither logged nor repeated', async () => {
  const lines: string[] = []
  const logger = createLogger('gateway', 'debug', { write: (line) => void lines.push(line) })
  await using logged = await startCatalogAndGateways([{}], [{ logger }])
  const { body: me } = await logged.send(0, 'GET', '/me', { as: 'alice' })
  const sent = { as: 'alice', body: { name: 'query' } }
  const made = await logged.send(0, 'POST', `/accounts/${me.accounts[0].name}/tokens`, sent)
  const { token } = made.body
  const answer = await logged.send(0, 'GET', `/me?access_token=${token}`)
  expect([answer.status, answer.body.code]).toEqual([401, 'token_required'])
  for (const text of [token, `${token.slice(0, -1)}_`]) {
    const headers = { authorization: `Bearer ${text}` }
    await logged.send(0, 'GET', '/me', { headers })
  }
  const said = `${answer.text}${lines.join('')}`
  expect(said).toContain('token_rejected')
  expect(said).not.toContain(token.slice('slipway_'.length, -1))
})

test.each([
  [
    'a wrong checksum',
    (token: string) => `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
  ],
  ['another prefix', (token: string) => token.replace('slipway_', 'slipwax_')],
  ['more characters', (token: string) => `${token}a`],
])('with %s are rejected like any other', async (_what, change) => {
  const made = await create({ name: `wrong ${Math.random()}` })
  const { status, headers, body } = await withToken(0, 'GET', '/me', change(made.body.token))
  expect([status, body.code, body.detail]).toEqual([
    401,
    'invalid_token',
    'the access token is not valid',
  ])
  expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
})
