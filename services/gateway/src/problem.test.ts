import { Code, ConnectError } from '@connectrpc/connect'
import { ErrorInfoSchema } from '@slipway/proto/google/rpc/error_details'
import { expect, test } from 'vitest'

import { toHttpProblem } from './problem.ts'

test('only a service’s own word is 429; what a transport has too much of is nobody’s fault who asked', () => {
  const info = { desc: ErrorInfoSchema, value: { reason: 'rate_limited', domain: 'slipway.dev' } }
  const limited = toHttpProblem(new ConnectError('too many', Code.ResourceExhausted, undefined, [info]))
  expect([limited.status, limited.code]).toEqual([429, 'rate_limited'])
  const tooLarge = toHttpProblem(new ConnectError('Received message larger than max', Code.ResourceExhausted))
  expect([tooLarge.status, tooLarge.code, tooLarge.retryAfterMs]).toEqual([500, 'internal_server_error', undefined])
})
