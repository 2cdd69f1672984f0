import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { loneGateway } from './support/lone-gateway.ts'

const TOO_MUCH = 'x'.repeat(20_000)

test.each([
  ['that is no HTTP', () => 'NONSENSE\r\n\r\n', 400, 'invalid_argument'],
  [
    'whose headers are too large',
    () => `GET /livez HTTP/1.1\r\nhost: x\r\nx-much: ${TOO_MUCH}\r\n\r\n`,
    431,
    'request_header_fields_too_large',
  ],
  [
    'whose body says too much between its parts',
    (token: string) =>
      `POST /api/v1/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1;${TOO_MUCH}\r\n{\r\n`,
    413,
    'too_large',
  ],
  [
    'that does not come to its end',
    () => 'GET /livez HTTP/1.1\r\nhost: x\r\n',
    408,
    'request_timeout',
  ],
])('a request %s is refused, and the connection closed', async (_what, request, status, code) => {
  await using gateway = await loneGateway(status === 408 ? { HEADERS_TIMEOUT_MS: '200' } : {})
  const { hostname, port } = new URL(gateway.url)
  const bytes = request(await gateway.issuer.userToken('alice'))
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  // Ends when the gateway closes.
  const [head = '', body = ''] = (await readText(socket)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toMatch(/content-type: application\/problem\+json/)
  expect(JSON.parse(body)).toMatchObject({ status, code, type: `urn:slipway:problem:${code}` })
})

test('who is still sending a body that is too large does not lose the answer by it', async () => {
  await using gateway = await loneGateway({ BODY_LIMIT_BYTES: '4096' })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  const [first, rest] = ['x'.repeat(100), 'x'.repeat(1_000_000)]
  socket.write(
    `POST /api/v1/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await gateway.issuer.userToken('alice')}\r\n` +
      `content-type: application/json\r\ncontent-length: ${first.length + rest.length}\r\n\r\n${first}`,
  )
  const [answer] = (await once(socket, 'data')) as [string]
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  // The rest is taken, and the next request on the connection as well.
  socket.write(`${rest}GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  expect(await readText(socket)).toMatch(/HTTP\/1.1 200 /)
})
