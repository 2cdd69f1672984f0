import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway

beforeAll(async () => {
  gateway = await startLoneGateway()
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: { readonly default?: unknown }
}

interface Operation {
  readonly operationId?: string
  readonly security?: unknown
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>
  >
}

describe('the API document', () => {
  let operations: [string, Operation][]

  beforeAll(async () => {
    const { body } = await gateway.send('GET', '/api/v1/openapi.json')
    operations = Object.entries<Record<string, Operation>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method} ${path}`,
        operation,
      ]),
    )
  })

  test('describes every route with its problems, and has pages to browse it', async () => {
    const { body } = await gateway.send('GET', '/api/v1/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths)).toContain('/api/v1/agents/{account}/{name}')
    expect(body.paths['/api/v1/deploy'].post.responses['400'].content).toHaveProperty([
      'application/problem+json',
    ])
    expect((await gateway.send('GET', '/docs/')).status).toBe(200)
  })

  test('describes the children of a span as spans', async () => {
    const { body } = await gateway.send('GET', '/api/v1/openapi.json')
    const span = { $ref: '#/components/schemas/Span' }
    expect(body.components.schemas.Span.properties).toMatchObject({
      span_id: { type: 'string' },
      children: { type: 'array', items: span },
    })
    const [trace] = operations.filter(([name]) => /^get .*traces\/\{/.test(name))
    expect(trace?.[1].responses['200']).toMatchObject({
      content: { 'application/json': { schema: { properties: { spans: { items: span } } } } },
    })
  })

  test('gives each operation a unique id', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(ids.length).toBeGreaterThan(30)
    expect(ids.filter((id) => id === undefined || !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('lists 429, 500 and 503 for every operation', () => {
    expect(
      operations.filter(
        ([, { responses }]) => !['429', '500', '503'].every((status) => status in responses),
      ),
    ).toEqual([])
  })

  test('marks the operations with an optional token', () => {
    const optional = operations.filter(
      ([, { security }]) => JSON.stringify(security) === '[{},{"bearer":[]}]',
    )
    expect(optional.map(([name]) => name).sort()).toEqual([
      'get /api/v1/agents/{account}',
      'get /api/v1/agents/{account}/{name}',
    ])
  })

  test('lists the headers of every response', () => {
    const headersOf = (name: string, status: number) =>
      Object.keys(operations.find(([each]) => each === name)?.[1].responses[status]?.headers ?? {})
    const every = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    for (const [name, { responses }] of operations) {
      for (const status of Object.keys(responses)) {
        expect([name, status, headersOf(name, Number(status))]).toEqual([
          name,
          status,
          expect.arrayContaining(every),
        ])
      }
    }
    const registering = 'post /api/v1/agents/{account}/{name}/register'
    expect(headersOf(registering, 201)).toContain('Idempotency-Replayed')
    expect(headersOf(registering, 401)).toContain('WWW-Authenticate')
    for (const status of [409, 429, 503])
      expect(headersOf(registering, status)).toContain('Retry-After')
    for (const status of [200, 304])
      expect(headersOf('get /api/v1/agents', status)).toContain('ETag')
  })

  test('makes a parameter with a default optional', () => {
    const parameters = operations.flatMap(([, operation]) => operation.parameters ?? [])
    const withDefault = parameters.filter(({ schema }) => schema.default !== undefined)
    expect(withDefault.length).toBeGreaterThan(10)
    expect(withDefault.filter(({ required }) => required === true)).toEqual([])
    const inQuery = parameters.filter(
      ({ in: where, required }) => where === 'query' && required === true,
    )
    expect(inQuery.length).toBeGreaterThan(3)
  })
})

test('serves the agent spec schema publicly and cacheable, at the path in its $id', async () => {
  const path = '/api/v1/schemas/astroai.schema.json'
  const first = await gateway.send('GET', path)
  expect([first.status, first.headers.get('content-type'), first.body.$id]).toEqual([
    200,
    'application/schema+json',
    path,
  ])
  expect(first.headers.get('cache-control')).toContain('public, max-age=')
  expect(first.body.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await gateway.send('GET', path, { headers, token: 'not a token' })
  expect([again.status, again.text]).toEqual([304, ''])
  const { body } = await gateway.send('GET', '/api/v1/openapi.json')
  const { responses, security } = body.paths[path].get
  expect([Object.keys(responses), security]).toEqual([
    ['200', '304', '429', '500', '503'],
    undefined,
  ])
})
