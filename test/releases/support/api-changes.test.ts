import { expect, test } from 'vitest'

import { breakingChanges, type ApiDocument } from './api-changes.ts'

const agent = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 9 },
    state: { type: 'string', enum: ['ready', 'failed'] },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Agent' } },
  },
}
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9 } }
const { name, state, parts } = agent.properties
const sent = { required: ['name'], properties: { name, state } }
const operation = {
  operationId: 'send',
  security: [{}, { bearer: [] }],
  parameters: [{ $ref: '#/components/parameters/limit' }],
  requestBody: { required: false, content: { json: { schema: sent } } },
  responses: {
    200: {
      headers: { ETag: {} },
      content: { json: { schema: { $ref: '#/components/schemas/Agent' } } },
    },
  },
}

/** An API with one operation, which sends and reads an agent. */
function api(changes: { operation?: object; agent?: object; limit?: object } = {}): ApiDocument {
  return {
    paths: { '/agents': { post: { ...operation, ...changes.operation } } },
    components: {
      parameters: { limit: { ...limit, ...changes.limit } },
      schemas: { Agent: { ...agent, ...changes.agent } },
    },
  } as unknown as ApiDocument
}

const body = (schema: object) => ({
  operation: { requestBody: { content: { json: { schema: { ...sent, ...schema } } } } },
})

test.each<[string, Parameters<typeof api>[0], string]>([
  [
    'another name for generated clients',
    { operation: { operationId: 'sendAll' } },
    'operationId sendAll',
  ],
  ['a token', { operation: { security: [{ bearer: [] }] } }, 'needs a token'],
  ['a removed parameter', { operation: { parameters: [] } }, 'parameter query limit: removed'],
  ['a required parameter', { limit: { required: true } }, 'parameter query limit: became required'],
  [
    'another required parameter',
    { operation: { parameters: [limit, { ...limit, name: 'new', required: true }] } },
    'parameter query new: added as required',
  ],
  [
    'a stricter bound',
    { limit: { schema: { type: 'integer', maximum: 8 } } },
    'parameter query limit: maximum 8 instead of 9',
  ],
  [
    'a required body',
    { operation: { requestBody: { ...operation.requestBody, required: true } } },
    'body: became required',
  ],
  ['a removed member of a body', body({ properties: { name } }), 'body: state: removed'],
  [
    'a required member of a body',
    body({ required: ['name', 'state'] }),
    'body: state: became required',
  ],
  [
    'a removed value',
    body({ properties: { name, state: { type: 'string', enum: ['ready'] } } }),
    'body: state: value failed: removed',
  ],
  [
    'a pattern',
    body({ properties: { state, name: { ...name, pattern: 'a' } } }),
    'body: name: pattern a',
  ],
  ['refused members', body({ additionalProperties: false }), 'body: other members are refused'],
  ['a removed response', { operation: { responses: {} } }, 'response 200: removed'],
  [
    'a removed header',
    { operation: { responses: { 200: { content: operation.responses[200].content } } } },
    'response 200: header ETag: removed',
  ],
  [
    'a removed member of a response',
    { agent: { properties: { name, state } } },
    'response 200: parts: removed',
  ],
  [
    'an optional member of a response',
    { agent: { required: [] } },
    'response 200: name: became optional',
  ],
  [
    'another type in a response',
    { agent: { properties: { name: { type: ['string', 'null'] }, state, parts } } },
    'response 200: name: type string or null instead of string',
  ],
])('reports %s', (_, changes, expected) => {
  expect(breakingChanges(api(), api(changes))).toEqual([`POST /agents: ${expected}`])
})

test('reports removed operations and paths', () => {
  expect(breakingChanges(api(), { paths: { '/agents': {} } })).toEqual(['POST /agents: removed'])
  expect(breakingChanges(api(), { paths: {} })).toEqual(['POST /agents: removed'])
})

test('allows what clients of the earlier API do not notice', () => {
  const properties = { name, state: { type: 'string', enum: ['ready', 'failed', 'new'] }, parts }
  const more = { ...properties, more: { type: 'string' } }
  const later = api({
    limit: { schema: { type: 'number', maximum: 10 } },
    agent: { properties: more, required: ['name', 'more'] },
    operation: {
      parameters: [{ $ref: '#/components/parameters/limit' }, { ...limit, name: 'new' }],
      requestBody: { content: { json: { schema: { properties: { name, state, parts } } } } },
    },
  })
  expect(breakingChanges(api(), api())).toEqual([])
  expect(breakingChanges(api(), later)).toEqual([])
})
