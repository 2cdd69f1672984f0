import { beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'

let api: ApiDocument

beforeAll(async () => {
  api = await readApiDocument()
})

const REFUSED = { status: 400, code: 'invalid_argument' }
const TOO_LARGE = { status: 413, code: 'too_large' }
const NOT_JSON = { status: 415, code: 'unsupported_media_type' }
const utf8 = (text: string) => new TextEncoder().encode(text)
const bytes = (...values: number[]) => new Uint8Array(values)
const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => `"key${index}":1`).join()
const nested = (depth: number, open: string, close: string) =>
  `{"x":${open.repeat(depth)}1${close.repeat(depth)}}`

/** Bodies that no route accepts, and the expected problem for each. */
const BODIES: Readonly<
  Record<string, readonly [Uint8Array<ArrayBuffer>, { status: number; code: string }, string?]>
> = {
  'invalid UTF-8': [new Uint8Array([...utf8('{"account":"'), 0xff, 0xfe, ...utf8('"}')]), REFUSED],
  'an overlong encoding': [
    new Uint8Array([...utf8('{"account":"'), 0xc0, 0x80, ...utf8('"}')]),
    REFUSED,
  ],
  'a surrogate in UTF-8': [
    new Uint8Array([...utf8('{"account":"'), 0xed, 0xa0, 0x80, ...utf8('"}')]),
    REFUSED,
  ],
  'UTF-16': [new Uint8Array(Buffer.from('\ufeff{"a":1}', 'utf16le')), REFUSED],
  'a NUL byte': [utf8('{"account":"a\0b"}'), REFUSED],
  'an escaped NUL': [utf8('{"account":"a\\u0000b"}'), REFUSED],
  'a NUL in a key': [utf8('{"\\u0000":1}'), REFUSED],
  'NUL bytes only': [bytes(0, 0, 0, 0), REFUSED],
  __proto__: [utf8('{"__proto__":{"polluted":true}}'), REFUSED],
  'an escaped __proto__': [utf8('{"\\u005f_proto__":{"polluted":true}}'), REFUSED],
  'a __proto__ further down': [
    utf8('{"user_credentials":{"__proto__":{"polluted":true}}}'),
    REFUSED,
  ],
  'constructor.prototype': [utf8('{"constructor":{"prototype":{"polluted":true}}}'), REFUSED],
  'deep lists': [utf8(nested(100_000, '[', ']')), REFUSED],
  'deep objects': [utf8(nested(100_000, '{"a":', '}')), REFUSED],
  'open brackets': [utf8('['.repeat(900_000)), REFUSED],
  'an open text': [utf8(`"${'\\'.repeat(900_000)}`), REFUSED],
  'a list': [utf8('[]'), REFUSED],
  'a text': [utf8('"account"'), REFUSED],
  'a number': [utf8('1e999'), REFUSED],
  'a huge number': [utf8('9'.repeat(500_000)), REFUSED],
  truth: [utf8('true'), REFUSED],
  'half an object': [utf8('{"account":'), REFUSED],
  'two objects': [utf8('{}{}'), REFUSED],
  'a comment': [utf8('{}//'), REFUSED],
  'a trailing comma': [utf8('{"a":1,}'), REFUSED],
  NaN: [utf8('{"a":NaN}'), REFUSED],
  'more than 1 MiB': [utf8(JSON.stringify({ x: 'x'.repeat(1_100_000) })), TOO_LARGE],
  'many keys, more than 1 MiB': [utf8(`{${keys(100_000)}}`), TOO_LARGE],
  'a form': [utf8('account=a'), NOT_JSON, 'application/x-www-form-urlencoded'],
  'a multipart form': [utf8('--x\r\n\r\n--x--'), NOT_JSON, 'multipart/form-data; boundary=x'],
  XML: [
    utf8('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>'),
    NOT_JSON,
    'application/xml',
  ],
  YAML: [utf8('account: a'), NOT_JSON, 'application/yaml'],
  'a problem': [utf8('{}'), NOT_JSON, 'application/problem+json'],
}

/** Bodies that are JSON objects, with members missing or of a wrong type. */
const ODD_BODIES: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  '10,000 unknown keys': `{${keys(10_000)}}`,
  'every member null':
    '{"account":null,"name":null,"build_id":null,"registry":null,"version":null,"role":null}',
  'every member a number':
    '{"account":1,"name":2,"build_id":3,"registry":4,"version":5e300,"role":1e999}',
  'every member a list':
    '{"account":[],"name":["a"],"build_id":[[]],"registry":[{}],' +
    '"version":["1.0.0"],"role":["owner"]}',
  'every member an object':
    '{"account":{},"name":{"a":1},"build_id":{},"registry":{},"version":{},"role":{"toString":1}}',
}

async function send(route: string, body: Uint8Array<ArrayBuffer>, contentType: string) {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replaceAll(/\{\w+\}/g, 'none')
  const query = path.startsWith('/deployments') ? '?account=none&pod=none' : ''
  const headers = {
    authorization: `Bearer ${await tokenOf('mallory')}`,
    'content-type': contentType,
  }
  const response = await fetch(`${fromStack('SLIPWAY_URL')}/api/v1${path}${query}`, {
    method,
    headers,
    body,
  })
  const answer = (await response.json()) as { code: string; validation_errors?: string[] }
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    type,
    answer,
    problem: api.problemWith(route, response.status, type, answer),
  }
}

/** The routes that may get a body. */
function writes(): string[] {
  return [...api.operations.keys()].filter((route) => !route.startsWith('GET '))
}

function wantsBody(route: string): boolean {
  return api.operations.get(route)?.requestBody !== undefined
}

/** Whether bytes are JSON other than an object. */
function isOtherJson(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return typeof value !== 'object' || Array.isArray(value)
  } catch {
    return false
  }
}

describe('every route rejects a body that is', () => {
  test.each(Object.entries(BODIES))(
    '%s',
    async (_what, [body, { status, code }, contentType = 'application/json']) => {
      // Routes without a body accept any JSON.
      const routes = isOtherJson(body) ? writes().filter(wantsBody) : writes()
      expect(routes.length).toBeGreaterThan(7)
      for (const route of routes) {
        const { type, answer, problem, ...found } = await send(route, body, contentType)
        expect([route, type, answer.code, found.status, problem]).toEqual([
          route,
          'application/problem+json',
          code,
          status,
          undefined,
        ])
      }
      expect('polluted' in {}).toBe(false)
    },
  )
})

describe('reports the missing and invalid members of', () => {
  test.each(Object.entries(ODD_BODIES))('%s', async (_what, body) => {
    for (const route of writes()) {
      const schema = api.operations.get(route)?.requestBody?.content?.['application/json']?.schema
      if (schema === undefined || !('required' in schema)) continue
      const { status, answer, problem } = await send(route, utf8(body), 'application/json')
      expect([route, status, answer.code, problem]).toEqual([
        route,
        400,
        'invalid_argument',
        undefined,
      ])
      for (const member of schema.required as string[]) {
        expect(answer.validation_errors).toContainEqual(
          expect.stringMatching(new RegExp(`^${member}: `)),
        )
      }
    }
  })
})
