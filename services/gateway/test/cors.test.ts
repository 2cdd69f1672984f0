import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'

const LIST = '/api/v1/agents'
const ORIGIN = 'https://dashboard.example'

test('lets pages of a listed origin call the API and read the responses', async () => {
  await using gateway = await startLoneGateway({ CORS_ORIGINS: `${ORIGIN}, https://other.example` })
  const preflight = await gateway.send('OPTIONS', '/api/v1/deploy', {
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
    204,
    ORIGIN,
  ])
  expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
    expect.arrayContaining([
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-None-Match',
      'Last-Event-ID',
      'Traceparent',
      'Tracestate',
    ]),
  )
  const answer = await gateway.send('GET', LIST, { headers: { origin: ORIGIN } })
  expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
  expect(answer.headers.get('vary')).toContain('Origin')
})

test.each([
  ['an origin that is not listed', { CORS_ORIGINS: ORIGIN }, 'https://evil.example'],
  ['any origin if none is listed', {}, ORIGIN],
  ['the origin null', { CORS_ORIGINS: ORIGIN }, 'null'],
])('allows nothing for %s', async (_what, env, origin) => {
  await using gateway = await startLoneGateway(env)
  const preflight = await gateway.send('OPTIONS', LIST, {
    headers: { origin, 'access-control-request-method': 'GET' },
  })
  const answer = await gateway.send('GET', LIST, { headers: { origin } })
  for (const { headers } of [preflight, answer])
    expect(headers.get('access-control-allow-origin')).toBeNull()
})
