import { expect, test } from 'vitest'

import { parseChallenge } from './challenge.ts'

test('reads the realm, service and scope of a Bearer challenge', () => {
  const header =
    'Bearer realm="https://auth.example/token",service="registry, main",scope="repository:a:pull"'
  expect(parseChallenge(header)).toEqual({
    scheme: 'bearer',
    parameters: {
      realm: 'https://auth.example/token',
      service: 'registry, main',
      scope: 'repository:a:pull',
    },
  })
})

test('prefers Bearer to Basic, in any order', () => {
  const both = 'Basic realm="x", Bearer realm="https://auth.example/t"'
  expect(parseChallenge(both)).toEqual({
    scheme: 'bearer',
    parameters: { realm: 'https://auth.example/t' },
  })
  expect(parseChallenge('bearer realm=https://a.example/t, basic')?.scheme).toBe('bearer')
})

test('falls back to Basic for a Bearer challenge without a realm', () => {
  expect(parseChallenge('Bearer error="invalid_token", Basic realm="r"')?.scheme).toBe('basic')
})

test.each([[null], [''], ['Negotiate'], ['Digest realm="basic"']])(
  'knows no challenge in %j',
  (header) => expect(parseChallenge(header)).toBeUndefined(),
)

test.each(['a', ' ', ',', '"', '\\"', 'basic,', ', basic'])(
  'reads a header with 100,000 times %j in linear time',
  (part) => {
    const header = `Bearer realm="https://auth.example/t", ${part.repeat(100_000)}`
    expect(parseChallenge(header)?.parameters['realm']).toBe('https://auth.example/t')
  },
)
