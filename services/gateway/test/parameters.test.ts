import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

const LOGS = '/api/v1/deployments/ns/logs'
const TRACES = '/api/v1/agents/a/b/observability/traces'

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await startLoneGateway()
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

const get = async (path: string) => await gateway.send('GET', path, { token })

test.each([
  [`${LOGS}?account=alice`, 'pod: is required'],
  [`${LOGS}?pod=p`, 'account: is required'],
  [`${LOGS}?account=&pod=p`, 'account: must not be empty'],
  [`${LOGS}?account=a&pod=p&tailLines=0`, 'tailLines: must be >= 1'],
  [`${LOGS}?account=a&pod=p&tailLines=5001`, 'tailLines: must be <= 5000'],
  [`${LOGS}?account=a&pod=p&tailLines=1.5`, 'tailLines: must be integer'],
  [`${LOGS}?account=a&pod=p&tailLines=x`, 'tailLines: must be integer'],
  [`${LOGS}?account=a&pod=p&tailLines=1&tailLines=2`, 'tailLines: must be integer'],
  [`${LOGS}?account=a&pod=p&follow=1`, 'follow: must be boolean'],
  [`${TRACES}?limit=501`, 'limit: must be <= 500'],
  [`${TRACES}?offset=-1`, 'offset: must be >= 0'],
  [
    `${TRACES}?start_time=yesterday`,
    'start_time: must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z',
  ],
  [
    `${TRACES}?start_time=2026-12-31T23:59:60Z`,
    'start_time: must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z',
  ],
  [`${TRACES}?status=broken`, 'status: must be one of ok, error'],
  [`/api/v1/agents?q=${'x'.repeat(201)}`, 'q: must have at most 200 characters'],
])('rejects %s: %s', async (path, problem) => {
  const { status, body } = await get(path)
  expect([status, body.validation_errors]).toEqual([400, [problem]])
})

test.each(['0x10', '0b11', '1e2', '%2010', '5%20', '1.0', '', '+5', '1_0', 'Infinity', '%D9%A1'])(
  'rejects a limit of %j',
  async (text) => {
    const { status, body } = await get(`/api/v1/agents?limit=${text}`)
    expect([status, body.validation_errors]).toEqual([400, ['limit: must be integer']])
  },
)

test.each(['5', '005'])('accepts a limit of %j', async (text) => {
  // The catalog is unreachable.
  expect((await get(`/api/v1/agents?limit=${text}`)).status).toBe(503)
})

test('rejects NUL characters, and reports the query parameter that contains one', async () => {
  expect((await get('/api/v1/agents/alice/b%00t')).status).toBe(400)
  const { status, body } = await get('/api/v1/agents?q=a%00b')
  expect([status, body.validation_errors]).toEqual([400, ['q: must not contain NUL characters']])
})

test('rejects a path with a malformed percent-encoding', async () => {
  expect((await get('/api/v1/agents/alice/%zz')).status).toBe(400)
})
