import { expect, test } from 'vitest'
import { hasBody, passedHeaders, requestHeaders } from './headers.ts'

function message(pairs: readonly [string, string][]) {
  const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
  return { rawHeaders: pairs.flat(), headers }
}

test('passedHeaders drops hop-by-hop headers, including those in the Connection header', () => {
  const given = message([
    ['Connection', 'close, X-Private'],
    ['X-Private', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Upgrade', 'websocket'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ])
  expect(passedHeaders(given)).toEqual([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ])
})

test('requestHeaders sets the X-Forwarded headers', () => {
  const direct = requestHeaders(message([['Host', 'a.example']]), 'agent:8080', '192.0.2.1')
  expect(direct).toEqual(
    ['Host', 'agent:8080', 'X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Host', 'a.example'].concat(
      'X-Forwarded-Proto',
      'http',
    ),
  )
  const behindIngress = message([
    ['Host', 'a.example'],
    ['X-Forwarded-For', '198.51.100.7'],
    ['X-Forwarded-Proto', 'https'],
  ])
  expect(requestHeaders(behindIngress, 'agent', '192.0.2.1')).toContain('198.51.100.7, 192.0.2.1')
  expect(requestHeaders(behindIngress, 'agent', '192.0.2.1')).toContain('https')
})

test('hasBody recognizes a length and chunks', () => {
  expect(hasBody(message([['Content-Length', '0']]))).toBe(false)
  expect(hasBody(message([['Content-Length', '3']]))).toBe(true)
  const chunked = message([['Transfer-Encoding', 'chunked']])
  expect(hasBody(chunked)).toBe(true)
  expect(requestHeaders(chunked, 'agent', '')).toContain('Transfer-Encoding')
})
