import { beforeAll, expect, test } from 'vitest'

import { ask, makeWorld, type World } from './support/catalog-fixture.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})

const PATHS = [
  '/me',
  '/agents',
  '/agents/ACCOUNT',
  '/agents/ACCOUNT/AGENT',
  '/agents/ACCOUNT/AGENT/config',
  '/agents/ACCOUNT/AGENT/deployment-template?format=json',
  '/accounts/ACCOUNT/members',
  '/deployments?account=ACCOUNT',
  '/openapi.json',
]

test.each(PATHS)('HEAD responds like GET, also to a known version: %s', async (pattern) => {
  const path = pattern.replace('ACCOUNT', world.account).replace('AGENT', world.published)
  const read = await ask('GET', path, 'owner')
  const etag = read.headers.get('etag') ?? ''
  expect([read.status, etag]).toEqual([200, expect.stringMatching(/^"/)])
  for (const [method, known, status] of [
    ['HEAD', '"another"', 200],
    ['HEAD', etag, 304],
    ['GET', etag, 304],
  ] as const) {
    const headers = { 'if-none-match': known }
    const answer = await ask(method, path, 'owner', { headers })
    const found = [method, answer.status, answer.headers.get('etag'), answer.text]
    expect(found).toEqual([method, status, etag, ''])
  }
})
