import { waitFor } from '@slipway/testing'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

import {
  CATALOG_TAGS,
  pathsIn,
  pathsOf,
  readApiDocument,
  type ApiDocument,
} from './support/api-document.ts'
import { expiredToken } from '../support/expired-token.ts'
import { freshName, methodOf, pathOf, titleOf, type Case } from './cases/case.ts'
import { casesOf, makingCases } from './cases/catalog-cases.ts'
import {
  ask,
  buildBody,
  keepMember,
  makeWorld,
  withPreviousName,
  type WorldWithPreviousName,
} from './support/catalog-fixture.ts'

/**
 * Provoked by other tests: they take a second request at the same time, many requests, or a gateway
 * without a catalog. A 500 is documented everywhere and can't be provoked.
 */
const SPECIAL = ['304', '409', '422', '429', '500', '503']
/**
 * Only for more than 1000 versions or accounts; see get-agent.test.ts and strangers.test.ts in
 * services/catalog/test.
 */
const FOR_THOUSANDS = [
  'GET /agents/{account}/{name}.has_more_versions',
  'GET /me.has_more_accounts',
]

/** Only for a machine token; see machine-tokens.test.ts. */
const OF_MACHINES = /^GET \/me\.machine_token|\.last_used_at$/

let world: WorldWithPreviousName
let api: ApiDocument
let cases: Case[]

beforeAll(async () => {
  world = await withPreviousName(await makeWorld())
  await expiredToken()
  api = await readApiDocument()
  cases = casesOf(world)
})

afterEach(async () => {
  await keepMember(world)
})

/** Sends a case through REST and compares the response with the API document. */
async function checkThroughRest(each: Case): Promise<unknown> {
  const { caller, body, rawBody, headers } = each
  const answer = await ask(methodOf(each), pathOf(each), caller, {
    ...(body === undefined ? {} : { body }),
    ...(rawBody === undefined ? {} : { rawBody }),
    ...(headers === undefined ? {} : { headers }),
  })
  const contentType = answer.headers.get('content-type') ?? ''
  const found = {
    status: answer.status,
    isProblem: contentType === 'application/problem+json',
    code: answer.body?.code,
    requestId: answer.body?.request_id ?? answer.headers.get('x-request-id'),
    problem: api.problemWith(each.route, each.status, contentType, answer.body),
  }
  expect([titleOf(each), found]).toEqual([
    titleOf(each),
    {
      status: each.status,
      isProblem: each.status >= 400,
      code: each.code ?? found.code,
      requestId: answer.headers.get('x-request-id'),
      problem: undefined,
    },
  ])
  return answer.body
}

describe('through REST', () => {
  test('covers every status that the API document lists for the catalog’s routes', () => {
    const provoked = new Set(
      [...cases, ...makingCases(world)].map(({ route, status }) => `${route} ${status}`),
    )
    const listed = [...api.operations].flatMap(([route, { tags, responses }]) =>
      tags?.some((tag) => CATALOG_TAGS.includes(tag))
        ? Object.keys(responses)
            .filter((status) => !SPECIAL.includes(status))
            .map((status) => `${route} ${status}`)
        : [],
    )
    expect(listed.length).toBeGreaterThan(50)
    expect(listed.filter((each) => !provoked.has(each))).toEqual([])
    expect([...provoked].filter((each) => !listed.includes(each))).toEqual([])
  })

  test('follows the API document in every case', async () => {
    const seen = new Set<string>()
    for (const each of [...cases, ...makingCases(world)]) {
      const body = await checkThroughRest(each)
      if (each.status < 300) for (const path of pathsIn(body)) seen.add(`${each.route}${path}`)
    }
    expect(cases.length).toBeGreaterThan(240)
    // Everything that the document describes is in some response.
    const described = [...api.operations].flatMap(([route, { tags, responses }]) =>
      tags?.some((tag) => CATALOG_TAGS.includes(tag))
        ? Object.values(responses)
            .map(({ content }) => content?.['application/json']?.schema)
            .flatMap((schema) =>
              schema === undefined ? [] : pathsOf(schema).map((path) => `${route}${path}`),
            )
        : [],
    )
    expect(described.length).toBeGreaterThan(100)
    const missing = described.filter((path) => !seen.has(path) && !OF_MACHINES.test(path))
    expect(missing).toEqual(FOR_THOUSANDS)
  })

  test('returns 304 for every GET with JSON to callers that have its entity tag', async () => {
    const gets = cases.filter(
      ({ route, status, query }) =>
        route.startsWith('GET') && status === 200 && query?.['format'] !== 'yaml',
    )
    expect(gets.length).toBeGreaterThan(8)
    /** Asks twice; again if another test has changed the response in between. */
    const askTwice = async (each: (typeof gets)[number]) => {
      const first = await ask('GET', pathOf(each), each.caller)
      const etag = first.headers.get('etag') ?? ''
      expect([titleOf(each), etag]).toEqual([titleOf(each), expect.stringMatching(/^"[\w.-]+"$/)])
      const again = await ask('GET', pathOf(each), each.caller, {
        headers: { 'if-none-match': `W/"other", ${etag}` },
      })
      return again.headers.get('etag') === etag ? { again, etag } : undefined
    }
    for (const each of gets) {
      const { again, etag } = await waitFor(() => askTwice(each), {
        what: `${titleOf(each)} to stay the same`,
      })
      expect([titleOf(each), again.status, again.text, again.headers.get('etag')]).toEqual([
        titleOf(each),
        304,
        '',
        etag,
      ])
    }
  })

  test('compresses large JSON, each encoding with its own entity tag', async () => {
    const name = freshName('large')
    const body = buildBody(name, 'b1', 'large', 'All about it. '.repeat(500))
    expect(
      (await ask('POST', `/agents/${world.account}/${name}/register`, 'owner', { body })).status,
    ).toBe(201)
    const etags = new Set<string | null>()
    for (const encoding of ['identity', 'gzip', 'br']) {
      const answer = await ask('GET', `/agents/${world.account}/${name}`, 'owner', {
        headers: { 'accept-encoding': encoding },
      })
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(answer.headers.get('vary')).toMatch(/Accept-Encoding/)
      expect(answer.body.versions[0].readme).toContain('All about it.')
      etags.add(answer.headers.get('etag'))
    }
    expect(etags.size).toBe(3)
  })
})
