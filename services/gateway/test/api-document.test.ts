import { VERSION } from '@slipway/shared/version'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  readApiDocument,
  responsesOf,
  type Document,
  type Operation,
} from './support/api-document.ts'
import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

let gateway: LoneGateway

beforeAll(async () => {
  gateway = await startLoneGateway()
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

describe('the API document', () => {
  let document: Document
  let operations: readonly [string, Operation][]
  let bytes: number

  beforeAll(async () => {
    ;({ document, operations, bytes } = await readApiDocument(gateway))
  })

  test('describes every route with its problems, in less than 200 kB', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/v1/agents/{account}/{name}')
    const deploy = document.paths['/api/v1/deploy']?.['post']
    expect(deploy?.responses['400']).toEqual({ $ref: '#/components/responses/BadRequest' })
    expect(document.components.responses['BadRequest']?.content).toMatchObject({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    })
    expect(bytes).toBeLessThan(200_000)
  })

  test('has the version of the release', () => {
    expect(document.info.version).toBe(VERSION)
  })

  test('says whose tokens are accepted', () => {
    const { description } = document.info
    expect(description).toContain(`- access tokens of \`${gateway.issuer.url}\``)
  })

  test('names what has a name', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(
        (
          'AccountName Agent AgentName BuildId Deployment DeploymentEvent DeployRequest ' +
          'DeployResult Member Problem ResourceResult Revision Role Span Trace VersionName'
        ).split(' '),
      ),
    )
    expect(document.components.schemas['DeploymentState']).toMatchObject({
      type: 'string',
      enum: ['progressing', 'ready', 'degraded', 'failed', 'undeploying', 'undeployed'],
    })
    expect(document.components.schemas['AgentName']).toHaveProperty('pattern')
    const undescribed = Object.entries(document.components.schemas).filter(
      ([, { description = '' }]) => description === '',
    )
    expect(undescribed).toEqual([])
  })

  test('describes every operation and its parameters, with a tag that is described', () => {
    const tags = document.tags.map(({ name }) => name)
    expect(
      operations.flatMap(([name, { description, tags: own = [], parameters = [] }]) => [
        ...(description === undefined ? [`${name} description`] : []),
        ...(own.some((tag) => tags.includes(tag)) ? [] : [`${name} tag`]),
        ...parameters.flatMap((parameter) =>
          parameter.description === undefined ? [`${name} ${parameter.name}`] : [],
        ),
      ]),
    ).toEqual([])
  })

  test('has an example of every body, which its schema allows', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const problems = operations.flatMap(([name, operation]) =>
      [
        ...Object.entries(operation.requestBody?.content ?? {}),
        ...responsesOf(document, operation).flatMap(([, { content = {} }]) =>
          Object.entries(content),
        ),
      ].flatMap(([type, { schema, example }]) => {
        if (example === undefined) return [`${name} has no example of ${type}`]
        const isValid = ajv.validate({ ...schema, components: document.components }, example)
        return isValid ? [] : [`${name} ${type}: ${ajv.errorsText()}`]
      }),
    )
    expect(problems).toEqual([])
  })

  test('describes the events of a stream', () => {
    const events = document.paths['/api/v1/agents/{account}/{name}/deployment/events']?.['get']
    expect(events?.responses['200']?.content?.['text/event-stream']?.schema).toMatchObject({
      contentSchema: { $ref: '#/components/schemas/ServerSentEvent' },
    })
  })

  test('describes the children of a span as spans', () => {
    const span = { $ref: '#/components/schemas/Span' }
    expect(document.components.schemas['Span']).toMatchObject({
      properties: { span_id: { type: 'string' }, children: { type: 'array', items: span } },
    })
    expect(document.components.schemas['Trace']).toMatchObject({
      properties: { spans: { items: span } },
    })
  })

  test('makes the body of a rollback optional', () => {
    const rollback = document.paths['/api/v1/agents/{account}/{name}/deployment/rollback']
    expect(rollback?.['post']?.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/RollbackRequest' } } },
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

  test('says which operations need no token', () => {
    const withSecurity = (text: string) =>
      operations
        .filter(([, { security }]) => JSON.stringify(security) === text)
        .map(([name]) => name)
        .sort()
    expect(withSecurity('[{},{"bearer":[]}]')).toEqual([
      'get /api/v1/agents/{account}',
      'get /api/v1/agents/{account}/{name}',
    ])
    const open = ['get /api/v1/agents', 'get /api/v1/schemas/astroai.schema.json']
    expect(withSecurity('[]')).toEqual(open)
    expect(document.security).toEqual([{ bearer: [] }])
    const byDefault = operations.filter(([, operation]) => !('security' in operation))
    expect(byDefault).toHaveLength(operations.length - 4)
  })

  test('lists the headers of every response', () => {
    const headersOf = (name: string, status: number) =>
      operations
        .filter(([each]) => each === name)
        .flatMap(([, operation]) => responsesOf(document, operation))
        .filter(([each]) => each === String(status))
        .flatMap(([, { headers = {} }]) => Object.keys(headers))
    const every = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    for (const [name, operation] of operations) {
      for (const [status] of responsesOf(document, operation)) {
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

  test('refers to what operations share', () => {
    const parts = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters = [], responses }) => [
        ...parameters,
        ...Object.values(responses),
      ]),
    )
    const { parameters, responses } = document.components
    // A name is that of the parameter with the most uses; others repeat theirs.
    const isNameTaken = (part: (typeof parts)[number]) =>
      'in' in part && `${part.name}.${part.in}` in parameters
    const own = parts
      .filter((part) => part.$ref === undefined && !isNameTaken(part))
      .map((part) => JSON.stringify(part))
    expect(own.filter((part, index) => own.indexOf(part) < index)).toEqual([])
    const uses = Map.groupBy(parts, ({ $ref = '' }) => $ref.split('/').at(-1))
    const once = [...Object.keys(parameters), ...Object.keys(responses)].filter(
      (name) => (uses.get(name)?.length ?? 0) < 2,
    )
    expect(once).toEqual([])
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
  expect([Object.keys(responses), security]).toEqual([['200', '304', '429', '500', '503'], []])
})
