import { testAuthority, testNats, waitFor, type TestAuthority } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { connectNats, type NatsServers } from '../src/events/index.ts'
import { createLogger } from '../src/logging/logger.ts'
import { natsOperator } from './support/nats-operator.ts'

let authority: TestAuthority
beforeAll(async () => {
  authority = await testAuthority()
})
afterAll(async () => {
  await authority[Symbol.asyncDispose]()
})

/** Returns `ready`, or the first warning. */
async function outcomeOf(servers: NatsServers): Promise<string> {
  const warnings: string[] = []
  const logger = createLogger('test', 'warn', { write: (line) => void warnings.push(line) })
  await using nats = connectNats({ ...servers, name: 'test', logger })
  await waitFor(() => nats.isReady || warnings.length > 0, { what: 'the connection' })
  return warnings[0] ?? 'ready'
}

describe('TLS', () => {
  const byName = (url: string) => url.replace('nats://127.0.0.1', 'tls://localhost')

  async function startServer() {
    const { chainFile, keyFile } = await authority.issue('localhost')
    return await testNats({ config: `tls { cert_file: "${chainFile}", key_file: "${keyFile}" }` })
  }

  test('the server’s certificate must be of the trusted authority', async () => {
    await using server = await startServer()
    await using stranger = await testAuthority()
    const url = byName(server.url)
    expect(await outcomeOf({ url, trustedCa: authority.ca })).toBe('ready')
    expect(await outcomeOf({ url, trustedCa: stranger.ca })).toContain('certificate')
    expect(await outcomeOf({ url })).toContain('certificate')
  })

  test('a tls:// URL is never used without TLS', async () => {
    await using server = await testNats()
    expect(await outcomeOf({ url: byName(server.url) })).toContain("does not support 'tls'")
  })
})

test('a user is authenticated by a credentials file', async () => {
  const { config, credentials, strangersCredentials } = natsOperator()
  await using server = await testNats({ config })
  const { url } = server
  expect(await outcomeOf({ url, credentials })).toBe('ready')
  expect(await outcomeOf({ url, credentials: strangersCredentials })).toContain('Authorization')
  expect(await outcomeOf({ url })).toContain('Authorization')
})
