import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { freshName, pathOf } from './cases/case.ts'
import { goodCases } from './cases/deployment-cases.ts'
import { makeDeploymentWorld, type DeploymentWorld } from './support/deployment-fixture.ts'
import { ask } from './support/catalog-fixture.ts'
import { problemOf } from './support/gateway-problems.ts'

// Clusters that fail are in deployment-failures.long.test.ts.

let world: DeploymentWorld
let api: ApiDocument

beforeAll(async () => {
  world = await makeDeploymentWorld()
  api = await readApiDocument()
}, 240_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const provoked = new Set<string>()
const note = (status: number, routes: Iterable<string>) => {
  for (const route of routes) provoked.add(`${route} ${status}`)
}

describe('an idempotency key', () => {
  // The undeploy comes last.
  const posts = () =>
    [...goodCases(world)]
      .filter(([route]) => route.startsWith('POST') && !route.endsWith('/validate'))
      .sort(
        ([left], [right]) => Number(left === 'POST /undeploy') - Number(right === 'POST /undeploy'),
      )

  test('gets 409 while its request runs, then the same response, 422 for others', async () => {
    const database = new Client({ connectionString: fromStack('DEPLOYER_DATABASE_URL') })
    await database.connect()
    try {
      for (const [route, each] of posts()) {
        const headers = { 'idempotency-key': freshName('key') }
        const send = (body = each.body) =>
          ask('POST', pathOf(each), 'owner', body === undefined ? { headers } : { headers, body })
        // The lock holds the first request, so that the second one finds it running.
        await database.query('BEGIN')
        await database.query('LOCK TABLE idempotency_key IN ACCESS EXCLUSIVE MODE')
        const both = [send(), send()]
        const refused = await Promise.race(both)
        await database.query('COMMIT')
        expect([route, refused.status, refused.body.code]).toEqual([
          route,
          409,
          'idempotency_key_in_use',
        ])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
        const first = (await Promise.all(both)).find(({ status }) => status !== 409)
        expect([route, first?.status]).toEqual([route, 200])
        const again = await send()
        expect([
          route,
          again.status,
          again.text,
          again.headers.get('idempotency-replayed'),
        ]).toEqual([route, 200, first?.text, 'true'])
        const other = await send({ ...(each.body as object | undefined), unheeded: true })
        expect([route, other.status, other.body.code]).toEqual([
          route,
          422,
          'idempotency_key_reused',
        ])
        for (const { status, headers: sent, body } of [refused, other]) {
          const type = sent.get('content-type') ?? ''
          expect([route, api.problemWith(route, status, type, body)]).toEqual([route, undefined])
        }
        note(409, [route])
        note(422, [route])
      }
    } finally {
      await database.end()
    }
  })
})

describe('a gateway', () => {
  const expected = (status: number) => ({
    status,
    retryAfter: expect.stringMatching(/^\d+$/),
    problem: undefined,
  })

  test('returns 503 with Retry-After on every route without a deployer', async () => {
    await using gateway = await startLoneGateway({})
    for (const [route, each] of goodCases(world))
      expect([route, await problemOf(gateway, api, each)]).toEqual([route, expected(503)])
    note(503, goodCases(world).keys())
  })

  test('returns 429 with Retry-After on every route to callers over their rate limit', async () => {
    await using gateway = await startLoneGateway({
      RATE_LIMIT_USER_PER_SECOND: '1',
      RATE_LIMIT_USER_BURST: '1',
    })
    for (const [route, each] of goodCases(world)) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => problemOf(gateway, api, each)))
      expect([route, answers.find(({ status }) => status === 429)]).toEqual([route, expected(429)])
    }
    note(429, goodCases(world).keys())
  })
})

test('the tests above cover every such status that the API document lists', () => {
  const listed = [...api.operations].flatMap(([route, { tags, responses }]) =>
    tags?.includes('deployments')
      ? Object.keys(responses)
          .filter((status) => ['409', '422', '429', '503'].includes(status))
          .map((status) => `${route} ${status}`)
      : [],
  )
  expect(listed.filter((each) => !provoked.has(each))).toEqual([])
  expect([...provoked].filter((each) => !listed.includes(each))).toEqual([])
})
