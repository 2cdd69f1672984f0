import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

const REGISTER = '/api/v1/agents/alice/bot/register'
const BUILD = { build_id: 'b', registry: 'r', spec_content: 's' }

let gateway: LoneGateway
let token: string

beforeAll(async () => {
  gateway = await startLoneGateway({ BODY_LIMIT_BYTES: '4096' })
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
})

async function post(
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  return await gateway.send('POST', path, {
    token,
    headers,
    ...(body === undefined ? {} : { body }),
  })
}

test.each([
  ['no body', undefined, 400],
  ['broken JSON', '{"build_id":', 400],
  ['JSON that is not an object', '[]', 400],
  ['a missing member', '{"build_id":"b","registry":"r"}', 400],
  ['an empty member', '{"build_id":"","registry":"r","spec_content":"s"}', 400],
  ['a number in place of a string', '{"build_id":5,"registry":"r","spec_content":"s"}', 400],
  ['null in place of a string', '{"build_id":null,"registry":"r","spec_content":"s"}', 400],
  ['a NUL character', '{"build_id":"b","registry":"r","spec_content":"s\\u0000"}', 400],
  [
    'a NUL character in a key',
    '{"build_id":"b","registry":"r","spec_content":"s","\\u0000":1}',
    400,
  ],
  ['more bytes than allowed', JSON.stringify({ ...BUILD, readme: 'x'.repeat(5000) }), 413],
  ['deep nesting', `{"x":${'['.repeat(1500)}${']'.repeat(1500)}}`, 400],
])('rejects %s', async (_what, body, status) => {
  const answer = await post(REGISTER, body)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json',
  ])
  expect(answer.body).toMatchObject({
    status,
    code: expect.stringMatching(/^[a-z_]+$/),
    instance: REGISTER,
  })
})

test('rejects a body that is not UTF-8', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"build_id":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ])
  expect((await post(REGISTER, new Uint8Array(bytes))).status).toBe(400)
})

test('returns 415 for a body that is not JSON', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await post(REGISTER, 'build_id=b', form)).status).toBe(415)
  expect((await post(REGISTER, '<b/>', { 'content-type': 'text/xml' })).status).toBe(415)
})

test('reports the limit for a body that is too large', async () => {
  const { body } = await post(REGISTER, JSON.stringify({ ...BUILD, readme: 'x'.repeat(5000) }))
  expect(body.detail).toBe('the request body must not exceed 4096 bytes')
})

test('reads all of a body that is too large, so that its sender sees the response', async () => {
  const length = 20_000_000
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const response = text(socket)
  socket.write(
    `POST ${REGISTER} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`,
  )
  const piece = Buffer.alloc(length / 100, ' ')
  for (let sent = 0; sent < length; sent += piece.length)
    if (!socket.write(piece)) await once(socket, 'drain')
  expect(await response).toMatch(/^HTTP\/1\.1 413 [^]*must not exceed 4096 bytes/)
})

test('reports all problems of a body at once, sorted, and converts nothing', async () => {
  const { body } = await post(REGISTER, '{"build_id":5,"registry":true}')
  expect(body.detail).toBe('the request body is not valid')
  expect(body.validation_errors).toEqual([
    'build_id: must be string',
    'registry: must be string',
    'spec_content: is required',
  ])
})

test.each([
  [
    'an empty string',
    'POST',
    REGISTER,
    '{"build_id":"","registry":"r","spec_content":"s"}',
    'build_id: must not be empty',
  ],
  [
    'a value outside a fixed set',
    'PUT',
    '/api/v1/accounts/alice/members/u',
    '{"role":"boss"}',
    'role: must be one of owner, admin, member',
  ],
  [
    'a wrong type inside an optional body',
    'POST',
    '/api/v1/agents/alice/bot/deployment/rollback',
    '{"revision":"x"}',
    'revision: must be integer',
  ],
])('describes %s in plain words', async (_what, method, path, json, problem) => {
  const { body } = await gateway.send(method, path, { token, body: json })
  expect(body.validation_errors).toEqual([problem])
})

test('ignores unknown members', async () => {
  const body = JSON.stringify({ ...BUILD, visibility: 'public', readme_assets: {} })
  expect((await post(REGISTER, body)).status).toBe(503)
})

test.each(['{"__proto__":{"x":1}}', '{"x":{"constructor":{"prototype":{}}}}'])(
  'names the member that is not allowed in %s',
  async (json) => {
    const { status, body } = await post(REGISTER, json)
    expect([status, body.detail]).toEqual([
      400,
      'the request body has a member __proto__ or constructor.prototype, which is not allowed',
    ])
  },
)

test('returns 415 for a compressed body', async () => {
  const body = new Uint8Array(gzipSync(JSON.stringify(BUILD)))
  const answer = await post(REGISTER, body, { 'content-encoding': 'gzip' })
  expect([answer.status, answer.headers.get('accept-encoding'), answer.body.detail]).toEqual([
    415,
    'identity',
    'the request body must not be compressed: send it without Content-Encoding',
  ])
  expect((await post(REGISTER, '{}', { 'content-encoding': 'identity' })).status).toBe(400)
})

test('treats an empty body as no body', async () => {
  expect((await post('/api/v1/deployments/ns/pods/p/restart?account=alice', '')).status).toBe(503)
})

describe('POST /deploy/validate', () => {
  const VALIDATE = '/api/v1/deploy/validate'

  test.each<[string, string | undefined]>([
    ['broken JSON', '{"account":'],
    ['no body', undefined],
    ['missing members', '{}'],
    ['a wrong type', '{"account":"a","name":5}'],
    ['a NUL character', '{"account":"a","name":"\\u0000"}'],
  ])('returns valid: false for %s', async (_what, body) => {
    const { status, headers, body: answer } = await post(VALIDATE, body)
    expect([status, headers.get('content-type'), answer.code, answer.valid]).toEqual([
      400,
      'application/problem+json',
      'invalid_argument',
      false,
    ])
  })

  test('returns an ordinary 401 without a token', async () => {
    const { status, headers, body } = await gateway.send('POST', VALIDATE, { body: '{}' })
    expect([status, body.code, body.valid]).toEqual([401, 'token_required', undefined])
    expect(headers.get('www-authenticate')).toContain('Bearer')
  })
})
