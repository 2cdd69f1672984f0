import { Code, ConnectError } from '@connectrpc/connect'
import { ErrorInfoSchema } from '@slipway/proto/google/rpc/error_details'
import { Unauthenticated, Unavailable } from '@slipway/shared/errors'
import { expect, test } from 'vitest'

import { toHttpProblem } from './to-http-problem.ts'

test('returns 429 for ResourceExhausted only if a service set a reason', () => {
  const info = { desc: ErrorInfoSchema, value: { reason: 'rate_limited', domain: 'slipway.dev' } }
  const limited = toHttpProblem(
    new ConnectError('too many', Code.ResourceExhausted, undefined, [info]),
  )
  expect([limited.status, limited.code]).toEqual([429, 'rate_limited'])
  const tooLarge = toHttpProblem(
    new ConnectError('Received message larger than max', Code.ResourceExhausted),
  )
  expect([tooLarge.status, tooLarge.code, tooLarge.retryAfterMs]).toEqual([
    500,
    'internal_server_error',
    undefined,
  ])
})

test('converts errors of the gateway’s own token check', () => {
  const refused = toHttpProblem(
    new Unauthenticated('invalid_token', 'the access token is not valid'),
  )
  expect([refused.status, refused.code, refused.message]).toEqual([
    401,
    'invalid_token',
    'the access token is not valid',
  ])
  const unsure = toHttpProblem(
    new Unavailable('issuer_unavailable', 'the issuer is away', { retryAfterMs: 3_000 }),
  )
  expect([unsure.status, unsure.code, unsure.retryAfterMs]).toEqual([
    503,
    'issuer_unavailable',
    3_000,
  ])
})
