import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { createServiceTokenSource, type ServiceTokenSource } from '../src/auth/index.ts'
import { testIssuer, type TestIssuer } from '@slipway/testing'

const MINUTE_MS = 60_000

let directory: string
let path: string
let issuer: TestIssuer
let clock: number
let source: ServiceTokenSource

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-service-token-'))
  path = join(directory, 'token')
  issuer = await testIssuer()
  clock = Date.now()
  source = createServiceTokenSource({ kind: 'file', path }, () => clock)
})

afterEach(async () => {
  await issuer[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

/** Writes a token that is valid for an hour to the file that the source reads. */
async function issue(id: string): Promise<string> {
  const token = await issuer.serviceToken('catalog', { claims: { jti: id } })
  await writeFile(path, `${token}\n`)
  return token
}

test('a token is used for most of its lifetime, then renewed', async () => {
  const first = await issue('first')
  expect(await source()).toBe(first)
  const second = await issue('second')
  clock += 45 * MINUTE_MS
  expect(await source()).toBe(first)
  clock += 5 * MINUTE_MS
  expect(await source()).toBe(second)
})

test('a token is used until it expires if renewing it fails', async () => {
  const first = await issue('first')
  expect(await source()).toBe(first)
  await rm(path)
  clock += 50 * MINUTE_MS
  expect(await source()).toBe(first)
  // The next attempt to renew it is not immediate.
  const second = await issue('second')
  expect(await source()).toBe(first)
  clock += MINUTE_MS
  expect(await source()).toBe(second)
})

test('an expired token is not used', async () => {
  await issue('first')
  await source()
  await rm(path)
  clock += 60 * MINUTE_MS
  await expect(source()).rejects.toMatchObject({ reason: 'service_token_unavailable' })
  const second = await issue('second')
  expect(await source()).toBe(second)
})

test('a token is requested from the configured endpoint only', async () => {
  let redirected = 0
  const server = createServer((request, response) => {
    if (request.url === '/token') return response.writeHead(307, { location: '/other' }).end()
    redirected += 1
    return response.end('{"access_token":"forged"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const client = createServiceTokenSource({
      kind: 'client_credentials',
      url: `http://127.0.0.1:${port}/token`,
      clientId: 'deployer',
      clientSecret: 'secret',
      resource: 'urn:slipway:internal',
    })
    await expect(client()).rejects.toMatchObject({ reason: 'service_token_unavailable' })
    expect(redirected).toBe(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
