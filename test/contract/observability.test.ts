import { afterAll, beforeAll, expect, test } from 'vitest'

import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { ROUTES, type ObservabilityCase } from './cases/observability-case.ts'
import { casesOf, pathOf } from './cases/observability-cases.ts'
import { endObservedWorld, makeObservedWorld, type ObservedWorld } from './support/trace-fixture.ts'
import { ask } from './support/catalog-fixture.ts'
import { isByUrl } from '../support/environment.ts'

/** Each is provoked elsewhere: below, and in observability-trouble.test.ts. */
const SPECIAL = ['304', '429', '500', '503']

let world: ObservedWorld
let api: ApiDocument

beforeAll(async () => {
  world = await makeObservedWorld()
  api = await readApiDocument()
})
afterAll(async () => {
  await endObservedWorld(world)
})

const titleOf = ({ route, caller, status, query = '', ...rest }: ObservabilityCase) =>
  `${route} ${status} as ${caller} ${query} ${JSON.stringify(rest)}`

/** The response to a case, and the expected one. */
async function send(each: ObservabilityCase): Promise<{ found: unknown[]; expected: unknown[] }> {
  const answer = await ask('GET', pathOf(world, each), each.caller)
  const contentType = answer.headers.get('content-type') ?? ''
  const problems: readonly string[] = answer.body?.validation_errors ?? []
  return {
    found: [
      titleOf(each),
      answer.status,
      contentType.split(';', 1)[0],
      answer.body?.code,
      api.problemWith(ROUTES[each.route], answer.status, contentType, answer.body),
      each.names === undefined ||
        problems.some((problem) => problem.includes(each.names ?? '')) ||
        problems,
      answer.headers.get('www-authenticate')?.split(' ', 1)[0],
    ],
    expected: [
      titleOf(each),
      each.status,
      each.status >= 400 ? 'application/problem+json' : 'application/json',
      each.code,
      undefined,
      true,
      each.status === 401 ? 'Bearer' : undefined,
    ],
  }
}

/** The responses to cases, and the expected ones. */
async function answersTo(
  cases: readonly ObservabilityCase[],
): Promise<{ found: unknown[]; expected: unknown[] }> {
  const answers: Awaited<ReturnType<typeof send>>[] = []
  for (const each of cases) answers.push(await send(each))
  return {
    found: answers.map(({ found }) => found),
    expected: answers.map(({ expected }) => expected),
  }
}

test('covers exactly the statuses that the API document lists', () => {
  const provoked = new Set(casesOf(world).map(({ route, status }) => `${ROUTES[route]} ${status}`))
  const listed = [...api.operations].flatMap(([route, { tags, responses }]) =>
    tags?.includes('observability') === true
      ? Object.keys(responses).flatMap((status) =>
          SPECIAL.includes(status) ? [] : `${route} ${status}`,
        )
      : [],
  )
  expect(listed.filter((each) => !provoked.has(each))).toEqual([])
  expect([...provoked].filter((each) => !listed.includes(each))).toEqual([])
})

test('follows the API document in every case', async () => {
  // nginx itself rejects a NUL in a path.
  const isSent = ({ name }: ObservabilityCase) => !isByUrl() || !name?.includes('\0')
  const cases = casesOf(world).filter(isSent)
  expect(cases.length).toBeGreaterThan(150)
  const { found, expected } = await answersTo(cases)
  expect(found).toEqual(expected)
})

test('rejects an expired token', async () => {
  const routes = ['traces', 'metrics', 'summary', 'trace'] as const
  const { found, expected } = await answersTo(
    routes.map((route) => ({ route, caller: 'expired', status: 401, code: 'token_expired' })),
  )
  expect(found).toEqual(expected)
})

test('returns 304 to callers that have the response', async () => {
  const range = `end_time=${new Date(world.startMs + 60_000).toISOString()}`
  for (const route of ['traces', 'metrics', 'summary', 'trace'] as const) {
    const path = pathOf(world, {
      route,
      caller: 'member',
      status: 200,
      ...(route === 'trace' ? {} : { query: range }),
    })
    const etag = (await ask('GET', path, 'member')).headers.get('etag') ?? ''
    const again = await ask('GET', path, 'member', { headers: { 'if-none-match': etag } })
    expect([route, again.status, again.text]).toEqual([route, 304, ''])
    expect(again.headers.get('cache-control')).toMatch(/private/)
  }
})
