import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { testAuthority, testNats, waitFor, type TestAuthority } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { parseConfig } from '../src/config/config.ts'
import { connectNats, readNatsServers } from '../src/events/index.ts'
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
async function outcomeOf(env: Readonly<Record<string, string>>): Promise<string> {
  const servers = parseConfig(env, readNatsServers)
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
    expect(await outcomeOf({ NATS_URL: url, NATS_CA_FILE: authority.caFile })).toBe('ready')
    expect(await outcomeOf({ NATS_URL: url, NATS_CA_FILE: stranger.caFile })).toContain(
      'certificate',
    )
    expect(await outcomeOf({ NATS_URL: url })).toContain('certificate')
  })

  test('a tls:// URL is never used without TLS', async () => {
    await using server = await testNats()
    expect(await outcomeOf({ NATS_URL: byName(server.url) })).toContain("does not support 'tls'")
  })
})

async function fileWith(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-nats-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'file')
  await writeFile(file, text)
  return file
}

describe('a file or URL that is not valid', () => {
  test.each(['NATS_CREDENTIALS_FILE', 'NATS_CA_FILE'])(
    '%s makes no connection, and is reported',
    async (setting) => {
      await using server = await testNats()
      const lines: string[] = []
      const logger = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
      const servers = parseConfig(
        { NATS_URL: server.url, [setting]: await fileWith('not valid') },
        readNatsServers,
      )
      await using nats = connectNats({ ...servers, name: 'test', logger })
      const events = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      await waitFor(() => events().some(({ event }) => event === 'nats_unreachable'), {
        what: 'the connection to be refused',
      })
      expect(nats.isReady).toBe(false)
      expect(events()).toContainEqual(
        expect.objectContaining({
          event: 'invalid_setting',
          setting,
          in_effect: 'no connection to NATS, so events wait',
        }),
      )
    },
  )

  test('a URL that is not valid makes no connection, and is reported', async () => {
    const lines: string[] = []
    const logger = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
    const servers = parseConfig({ NATS_URL: 'nats://user:secret@a:port' }, readNatsServers)
    await using nats = connectNats({ ...servers, name: 'test', logger })
    expect(nats.isReady).toBe(false)
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: 'invalid_setting', setting: 'NATS_URL', remedy: expect.stringContaining('restart') },
    ])
    expect(lines.join()).not.toContain('secret')
  })

  test('is read again when it is corrected', async () => {
    const { config, credentials } = natsOperator()
    await using server = await testNats({ config })
    const file = await fileWith('not valid')
    const env = { NATS_URL: server.url, NATS_CREDENTIALS_FILE: file }
    const servers = parseConfig(env, readNatsServers)
    const logger = createLogger('test', 'silent')
    await using nats = connectNats({ ...servers, name: 'test', logger })
    await writeFile(file, credentials)
    await waitFor(() => nats.isReady, { what: 'the corrected file' })
    expect(nats.isReady).toBe(true)
  })
})

test('a user is authenticated by a credentials file', async () => {
  const { config, credentials, strangersCredentials } = natsOperator()
  await using server = await testNats({ config })
  const { url } = server
  const outcomeWith = async (text: string) =>
    await outcomeOf({ NATS_URL: url, NATS_CREDENTIALS_FILE: await fileWith(text) })
  expect(await outcomeWith(credentials)).toBe('ready')
  expect(await outcomeWith(strangersCredentials)).toContain('Authorization')
  expect(await outcomeOf({ NATS_URL: url })).toContain('Authorization')
})
