import { expect, test } from 'vitest'

import { isLocal, serverUrl } from './server-url.ts'

test.each([
  ['slipway.example.com', 'https://slipway.example.com'],
  ['https://slipway.example.com/', 'https://slipway.example.com'],
  ['https://example.com/agents/api/v1/', 'https://example.com/agents'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['localhost', 'http://localhost'],
  ['api.slipway.localhost:8000', 'http://api.slipway.localhost:8000'],
  ['http://slipway.example.com', 'http://slipway.example.com'],
])('reads %s as %s', (given, url) => {
  expect(serverUrl(given)).toBe(url)
})

test.each(['', 'https://', 'https://alice:pw@example.com', 'ftp://example.com', 'a b'])(
  'refuses "%s"',
  (given) => {
    expect(() => serverUrl(given)).toThrow(/address of a server/)
  },
)

test.each([
  ['http://agents.localhost/x', true],
  ['http://127.0.0.1:9200', true],
  ['http://example.com\\.localhost', false],
  ['http://localhost.example.com', false],
  ['http://localhost@example.com', false],
])('whether %s is this machine', (address, expected) => {
  expect(isLocal(address)).toBe(expected)
})
