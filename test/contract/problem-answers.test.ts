import { beforeAll, expect, test } from 'vitest'

import { ask, makeWorld, type World } from './support/catalog-fixture.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})

test('describe an invalid request and a rejected token', async () => {
  const { account } = world
  const path = `/agents/${account}/bot/publish`
  const { status, headers, body } = await ask('POST', `${path}?x=1`, 'owner', {
    body: { build_id: 5 },
  })
  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  expect(body).toEqual({
    type: 'urn:slipway:problem:invalid_argument',
    title: 'Bad Request',
    status: 400,
    detail: 'the request body is not valid',
    instance: `/api/v1${path}`,
    code: 'invalid_argument',
    error: 'the request body is not valid',
    details: 'build_id: must be string; version: is required',
    validation_errors: ['build_id: must be string', 'version: is required'],
    request_id: headers.get('x-request-id'),
  })
  const unauthorized = await ask('GET', '/me', 'forged')
  expect(unauthorized.body).toMatchObject({ error: 'unauthorized', code: 'invalid_token' })
  expect(unauthorized.headers.get('www-authenticate')).toMatch(
    /^Bearer error="invalid_token", resource_metadata="http[^"]+"$/,
  )
  expect((await ask('GET', '/me', 'anonymous')).headers.get('www-authenticate')).toMatch(
    /^Bearer resource_metadata="http[^"]+"$/,
  )
})

test('use the field names of the REST API', async () => {
  const { account } = world
  for (const [method, path, name, sent] of [
    ['GET', '/agents?cursor=nonsense', 'cursor'],
    ['GET', `/agents?q=${'a+'.repeat(9)}b+c+d+e+f+g+h+i+j`, 'q'],
    ['GET', `/accounts/${account}/members?cursor=nonsense`, 'cursor'],
    ['PUT', `/accounts/${account}`, 'name', { name: 'Not A Name' }],
  ] as const) {
    const { status, body } = await ask(
      method,
      path,
      'owner',
      sent === undefined ? {} : { body: sent },
    )
    expect([path, status, body.detail, body.validation_errors]).toEqual([
      path,
      400,
      expect.stringMatching(new RegExp(`^${name} must`)),
      [expect.stringMatching(new RegExp(`^${name}: must`))],
    ])
  }
})
