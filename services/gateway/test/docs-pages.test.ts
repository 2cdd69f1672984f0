import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway

beforeAll(async () => {
  gateway = await startLoneGateway()
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

test('says at / where the API and its description are', async () => {
  const { status, body } = await gateway.send('GET', '/')
  expect([status, body]).toEqual([
    200,
    { name: 'Slipway', api: '/api/v1', docs: '/docs', openapi: '/api/v1/openapi.json' },
  ])
  const page = await gateway.send('GET', '/', { headers: { accept: 'text/html,*/*' } })
  expect([page.status, page.text.includes('<title>Slipway API</title>')]).toEqual([200, true])
})

test('serves the pages with their own style', async () => {
  const page = await gateway.send('GET', '/docs/')
  expect(page.text).toContain('slipway.css')
  const style = await gateway.send('GET', '/docs/static/theme/slipway.css')
  expect([style.status, style.headers.get('content-type')]).toEqual([
    200,
    'text/css; charset=UTF-8',
  ])
})
