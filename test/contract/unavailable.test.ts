import { beforeAll, describe, expect, test } from 'vitest'

import { startLoneGateway } from '../support/lone-gateway.ts'
import { CATALOG_TAGS, readApiDocument, type ApiDocument } from './support/api-document.ts'
import type { Case } from './cases/case.ts'
import { casesOf, makingCases } from './cases/catalog-cases.ts'
import type { WorldWithPreviousName } from './support/catalog-fixture.ts'
import { problemOf } from './support/gateway-problems.ts'

/** These don't exist, but no request gets far enough to detect it. */
const ids = { owner: 'o', admin: 'a', member: 'm', stranger: 's' }
const world: WorldWithPreviousName = {
  account: 'some-account',
  published: 'shown',
  hidden: 'hidden',
  yanked: 'yanked',
  spare: 'spare-account',
  held: 'former-account',
  ids,
  tokens: { name: 'ci', revocable: ['t', 't', 't'] },
}

/** Served without the catalog. */
const SCHEMA: Case = { route: 'GET /schemas/astroai.schema.json', status: 200, caller: 'anonymous' }

let api: ApiDocument

beforeAll(async () => {
  api = await readApiDocument()
})

describe('a gateway that can’t reach the catalog', () => {
  /** A successful case of every route of the catalog. */
  const goodCases = () => {
    const good = [...casesOf(world), ...makingCases(world)].filter(({ status }) => status < 300)
    return new Map(good.map((each) => [each.route, each]))
  }

  test('returns 503 with Retry-After on every route', async () => {
    await using gateway = await startLoneGateway({})
    const routes = goodCases()
    const known = [...api.operations.values()].filter(({ tags }) =>
      tags?.some((tag) => CATALOG_TAGS.includes(tag)),
    )
    expect(routes.size).toBe(known.length)
    const expected = { status: 503, retryAfter: expect.stringMatching(/^\d+$/), problem: undefined }
    for (const [route, each] of routes)
      expect([route, await problemOf(gateway, api, each)]).toEqual([route, expected])
  })

  test('returns 429 with Retry-After on every route to callers over their rate limit', async () => {
    const few = { PER_SECOND: '1', BURST: '1' }
    const limits = Object.entries(few).flatMap(([name, value]) => [
      [`RATE_LIMIT_ADDRESS_${name}`, value],
      [`RATE_LIMIT_USER_${name}`, value],
    ])
    await using gateway = await startLoneGateway(Object.fromEntries(limits))
    const expected = { status: 429, retryAfter: expect.stringMatching(/^\d+$/), problem: undefined }
    for (const [route, each] of goodCases().set(SCHEMA.route, SCHEMA)) {
      // The limit refills by one request per second, so the last of four concurrent requests exceed
      // it.
      const answers = await Promise.all([1, 2, 3, 4].map(() => problemOf(gateway, api, each)))
      expect([route, answers.find(({ status }) => status === 429)]).toEqual([route, expected])
    }
  })
})
