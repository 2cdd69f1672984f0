import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

const VALIDATE = '/api/v1/deploy/validate'
const REGISTER = '/api/v1/agents/alice/bot/register'

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await startLoneGateway()
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

const ones = (count: number) => Array.from({ length: count }, () => 1)
const numbers = (count: number) =>
  Object.fromEntries(ones(count).map((one, index) => [`key${index}`, one]))

test.each([
  ['a list', VALIDATE, { account: 'a', name: 'b', interfaces: ones(500_000) }],
  ['a mapping', VALIDATE, { account: 'a', name: 'b', user_credentials: numbers(60_000) }],
  ['a member that the route ignores', REGISTER, { other: numbers(60_000) }],
])('rejects a body with too many values in %s', async (_what, path, value) => {
  const { status, body } = await gateway.send('POST', path, { token, body: JSON.stringify(value) })
  expect([status, body.code, body.detail, body.validation_errors]).toEqual([
    413,
    'too_large',
    'the request body has more than 20000 values',
    undefined,
  ])
})

test.each([
  ['interfaces', VALIDATE, { account: 'a', name: 'b', interfaces: ones(15_000) }],
  ['image_digests', REGISTER, { image_digests: numbers(15_000) }],
])('lists some of the wrong values of %s, and says that there are more', async (_, path, value) => {
  const { status, body } = await gateway.send('POST', path, { token, body: JSON.stringify(value) })
  expect([status, body.detail, body.validation_errors.length]).toEqual([
    400,
    'the request body is not valid: it has more than 100 problems',
    100,
  ])
})

test('shortens long names in its messages', async () => {
  const value = { account: 'a', name: 'b', user_credentials: { [`K${'x'.repeat(900_000)}`]: 1 } }
  const { body } = await gateway.send('POST', VALIDATE, { token, body: JSON.stringify(value) })
  expect(body.validation_errors).toEqual([
    expect.stringMatching(/^user_credentials\.Kx{482}…: must be string$/),
  ])
})
