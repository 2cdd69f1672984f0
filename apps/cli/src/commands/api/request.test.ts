import { expect, test } from 'vitest'

import { apiPath, parseFields, parseHeaders, withQuery } from './request.ts'

const server = 'https://slipway.example.com/base'

test.each([
  ['me', '/api/v1/me'],
  ['/me?x=1', '/api/v1/me?x=1'],
  ['/api/v1/me', '/api/v1/me'],
  [`${server}/api/v1/me`, '/api/v1/me'],
])('reads the path %s', (given, path) => {
  expect(apiPath(server, given)).toBe(path)
})

test.each([
  'https://other.example.com/api/v1/me',
  'https://slipway.example.com/api/v1/me',
  'https://user@slipway.example.com/base/api/v1/me',
  '//other.example.com/base/api/v1/me',
  'file:///etc/passwd',
  '/../../../me',
  'http://slipway.example.com/base/api/v1/me',
])('refuses %s', (given) => {
  expect(() => apiPath(server, given)).toThrow(/is not a path of the API/)
})

test('reads fields as text, and as JSON after :=', () => {
  expect(parseFields(['name=a=b', 'count:=3', 'list:=[1]', 'empty='])).toEqual({
    name: 'a=b',
    count: 3,
    list: [1],
    empty: '',
  })
  expect(() => parseFields(['name'])).toThrow(/not a field/)
  expect(() => parseFields(['name:={'])).toThrow(/not valid JSON/)
})

test('adds fields to a query', () => {
  expect(withQuery('/agents?limit=1', { q: 'a b', limit: 2 })).toBe('/agents?limit=2&q=a+b')
})

test('reads headers, but not those of the client', () => {
  expect(parseHeaders(['Idempotency-Key: k1'])).toEqual({ 'idempotency-key': 'k1' })
  expect(() => parseHeaders(['Authorization: x'])).toThrow(/can't be set/)
  expect(() => parseHeaders(['x'])).toThrow(/not a header/)
})
