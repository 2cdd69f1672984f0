import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
