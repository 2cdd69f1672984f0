import type { Gateway } from '@slipway/gateway'
import { beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'
import { CATALOG_TAGS, readApiDocument, type ApiDocument } from './support/api-document.ts'
import { methodOf, pathOf, type Case } from './cases/case.ts'
import { casesOf, makingCases } from './cases/catalog-cases.ts'
import type { World } from './support/catalog-fixture.ts'

/** Nobody gets to see whether these exist. */
const ids = { owner: 'o', admin: 'a', member: 'm', stranger: 's' }
const world: World = {
  account: 'some-account',
  published: 'shown',
  hidden: 'hidden',
  yanked: 'yanked',
  held: 'former-account',
  ids,
}

/** Answered without the catalog. */
const SCHEMA: Case = { route: 'GET /schemas/astroai.schema.json', status: 200, caller: 'anonymous' }

let api: ApiDocument

beforeAll(async () => {
  api = await readApiDocument()
})

describe('a gateway that can’t reach the catalog', () => {
  /** One case that would succeed of every route of the catalog. */
  const goodCases = () => {
    const good = [...casesOf(world), ...makingCases(world)].filter(({ status }) => status < 300)
    return new Map(good.map((each) => [each.route, each]))
  }

  async function send(gateway: Gateway, each: Case) {
    const headers = new Headers({ 'content-type': 'application/json' })
    if (each.caller !== 'anonymous')
      headers.set('authorization', `Bearer ${await tokenOf('alice')}`)
    const response = await fetch(`${gateway.url}/api/v1${pathOf(each)}`, {
      method: methodOf(each),
      headers,
      ...(each.body === undefined ? {} : { body: JSON.stringify(each.body) }),
    })
    const contentType = response.headers.get('content-type') ?? ''
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      problem: api.problemWith(each.route, response.status, contentType, await response.json()),
    }
  }

  test('answers 503 on every route, with a time to come back', async () => {
    await using gateway = await startLoneGateway({})
    const routes = goodCases()
    const known = [...api.operations.values()].filter(({ tags }) =>
      tags?.some((tag) => CATALOG_TAGS.includes(tag)),
    )
    expect(routes.size).toBe(known.length)
    const expected = { status: 503, retryAfter: expect.stringMatching(/^\d+$/), problem: undefined }
    for (const [route, each] of routes)
      expect([route, await send(gateway, each)]).toEqual([route, expected])
  })

  test('answers 429 on every route to who asks too much, with a time to come back', async () => {
    const few = { PER_SECOND: '1', BURST: '1' }
    const limits = Object.entries(few).flatMap(([name, value]) => [
      [`RATE_LIMIT_ADDRESS_${name}`, value],
      [`RATE_LIMIT_USER_${name}`, value],
    ])
    await using gateway = await startLoneGateway(Object.fromEntries(limits))
    const expected = { status: 429, retryAfter: expect.stringMatching(/^\d+$/), problem: undefined }
    for (const [route, each] of goodCases().set(SCHEMA.route, SCHEMA)) {
      // One token a second comes back: of a few at the same time the last find none.
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(gateway, each)))
      expect([route, answers.find(({ status }) => status === 429)]).toEqual([route, expected])
    }
  })
})
