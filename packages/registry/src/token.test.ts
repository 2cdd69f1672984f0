import { expect, test } from 'vitest'

import { readToken, tokenQuery } from './token.ts'

test('asks for a token with the service and all scopes', () => {
  const url = new URL('https://auth.example/token?account=a')
  tokenQuery(url, 'r.example', ['repository:a:pull,push', 'repository:b:pull'])
  expect(url.searchParams.getAll('scope')).toEqual(['repository:a:pull,push', 'repository:b:pull'])
  expect(url.searchParams.get('service')).toBe('r.example')
  expect(url.searchParams.get('account')).toBe('a')
})

test('leaves out an unknown service', () => {
  const url = new URL('https://auth.example/token')
  tokenQuery(url, '', [])
  expect(url.href).toBe('https://auth.example/token')
})

test.each([
  [
    { token: 't', access_token: 'u', expires_in: 300 },
    { token: 't', lifeSeconds: 300 },
  ],
  [{ access_token: 'u' }, { token: 'u', lifeSeconds: undefined }],
  [
    { token: null, access_token: 'u', expires_in: '9' },
    { token: 'u', lifeSeconds: 9 },
  ],
  [{ token: '' }, undefined],
  [{ token: 'a b' }, undefined],
  [{ token: 'a\r\nx: y' }, undefined],
  [{ token: 1 }, undefined],
  [null, undefined],
  ['t', undefined],
])('reads %j', (body, expected) => {
  expect(readToken(body)).toEqual(expected)
})
