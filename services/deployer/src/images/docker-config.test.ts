import { parseImage } from '@slipway/agent-spec'
import { expect, test } from 'vitest'

import { authsFor, loginOf, parseDockerConfig } from './docker-config.ts'

const basic = (text: string) => ({ auth: Buffer.from(text).toString('base64') })

function keysFor(image: string, ...keys: readonly string[]): string[] {
  const reference = parseImage(image)
  if (reference === undefined) throw new Error(`${image} is not valid`)
  return Object.keys(authsFor(Object.fromEntries(keys.map((key) => [key, {}])), reference) ?? {})
}

test.each([
  ['registry.example/acme/bot', 'registry.example', true],
  ['registry.example/acme/bot', 'https://registry.example/v2/', true],
  ['registry.example/acme/bot', 'registry.example/acme', true],
  ['registry.example/acme/bot', 'registry.example/ac', false],
  ['registry.example/acme/bot', 'registry.example/other', false],
  ['registry.example/acme/bot', '*.example', true],
  ['registry.example/acme/bot', 'reg*.example', true],
  ['registry.example/acme/bot', '*', false],
  ['registry.example/acme/bot', 'registry.example:5000', false],
  ['registry.example:5000/acme/bot', 'registry.example:5000', true],
  ['registry.example:5000/acme/bot', 'registry.example', false],
  ['evil.registry.example/acme/bot', '*.example', false],
  ['acme/bot', 'https://index.docker.io/v1/', true],
  ['redis', 'docker.io/library/redis', true],
  ['registry.example/redis', 'https://index.docker.io/v1/', false],
])('the image %s and the entry %s match: %s', (image, key, isMatch) => {
  expect(keysFor(image, key)).toEqual(isMatch ? [key] : [])
})

test('returns only the entries of the image, the most specific first', () => {
  const keys = ['registry.example', 'other.example', 'registry.example/acme']
  expect(keysFor('registry.example/acme/bot', ...keys)).toEqual([
    'registry.example/acme',
    'registry.example',
  ])
})

test('reads the login of the most specific entry', () => {
  expect(loginOf({ a: basic('user:pass:word'), b: basic('other:x') })).toEqual({
    user: 'user',
    password: 'pass:word',
  })
  expect(loginOf({ a: { username: 'user', password: 'pass' } })).toEqual({
    user: 'user',
    password: 'pass',
  })
  expect(loginOf({ a: { identitytoken: 'x' }, b: null, c: { auth: '!' } })).toBeUndefined()
})

test.each(['{"auths":{"a":{"password":"hunter2"}}', '[]', '{"auths":[]}', 'hunter2'])(
  'refuses %s without quoting it',
  (text) => {
    expect(() => parseDockerConfig(text)).toThrow(/^is not a \.dockerconfigjson: must be/)
  },
)
