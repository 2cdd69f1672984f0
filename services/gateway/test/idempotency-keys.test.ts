import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await startLoneGateway()
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

const post = async (path: string, body: string, key: string) =>
  await gateway.send('POST', path, { token, body, headers: { 'idempotency-key': key } })

test.each(['', 'x'.repeat(256), 'with blank', 'bellé'])('rejects the key %j', async (key) => {
  const answer = await post('/api/v1/accounts', '{"name":"team"}', key)
  expect([answer.status, answer.body.validation_errors?.[0]]).toEqual([
    400,
    expect.stringContaining('idempotency-key'),
  ])
})

test('accepts a key of 255 characters', async () => {
  // The catalog is unreachable.
  const answer = await post('/api/v1/accounts', '{"name":"team"}', 'x'.repeat(255))
  expect(answer.status).toBe(503)
})

test('ignores the key of a validation', async () => {
  const body = '{"account":"a","name":"b"}'
  expect((await post('/api/v1/deploy/validate', body, 'with blank')).status).toBe(503)
})
