import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'

const TOO_LONG = 'x'.repeat(20_000)

test.each([
  ['that is not HTTP', () => 'NONSENSE\r\n\r\n', 400, 'invalid_argument'],
  [
    'with headers that are too large',
    () => `GET /livez HTTP/1.1\r\nhost: x\r\nx-much: ${TOO_LONG}\r\n\r\n`,
    431,
    'request_header_fields_too_large',
  ],
  [
    'with chunk extensions that are too large',
    (token: string) =>
      `POST /api/v1/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1;${TOO_LONG}\r\n{\r\n`,
    413,
    'too_large',
  ],
  [
    'that does not arrive in time',
    () => 'GET /livez HTTP/1.1\r\nhost: x\r\n',
    408,
    'request_timeout',
  ],
  [
    'without a Host',
    () => 'GET /api/v1/me HTTP/1.1\r\nconnection: close\r\n\r\n',
    400,
    'invalid_argument',
  ],
  [
    'with an unknown expectation',
    () => 'GET /api/v1/me HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n',
    417,
    'expectation_failed',
  ],
  [
    'for a tunnel',
    () => 'CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n',
    405,
    'method_not_allowed',
  ],
  [
    'whose announced body is too large, before the body is sent',
    (token: string) =>
      `POST /api/v1/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: 10000000\r\nexpect: 100-continue\r\n\r\n`,
    413,
    'too_large',
  ],
])('rejects a request %s and closes the connection', async (_what, request, status, code) => {
  await using gateway = await startLoneGateway(status === 408 ? { HEADERS_TIMEOUT_MS: '200' } : {})
  const { hostname, port } = new URL(gateway.url)
  const bytes = request(await gateway.issuer.userToken('alice'))
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  // The text ends when the gateway closes the connection.
  const [head = '', body = ''] = (await readText(socket)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toMatch(/content-type: application\/problem\+json/)
  expect(head).toMatch(/x-content-type-options: nosniff/)
  expect(JSON.parse(body)).toMatchObject({ status, code, type: `urn:slipway:problem:${code}` })
})

test('asks for a body of an allowed size', async () => {
  await using gateway = await startLoneGateway()
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  const token = await gateway.issuer.userToken('alice')
  socket.write(
    `POST /api/v1/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n` +
      `connection: close\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [string]
  expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('{}')
  expect(await readText(socket)).toMatch(/HTTP\/1.1 400 [^]*name: is required/)
})

test('responds to a client that is still sending a body that is too large', async () => {
  await using gateway = await startLoneGateway({ BODY_LIMIT_BYTES: '4096' })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  const token = await gateway.issuer.userToken('alice')
  const [first, rest] = ['x'.repeat(100), 'x'.repeat(1_000_000)]
  socket.write(
    `POST /api/v1/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\n` +
      `content-length: ${first.length + rest.length}\r\n\r\n${first}`,
  )
  const [answer] = (await once(socket, 'data')) as [string]
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  // The gateway reads the rest, and then the next request on the connection.
  socket.write(`${rest}GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  expect(await readText(socket)).toMatch(/HTTP\/1.1 200 /)
})
