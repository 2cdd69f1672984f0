import { once } from 'node:events'
import { createServer } from 'node:https'

import { freePorts, testAuthority } from '@slipway/testing'
import { expect, test } from 'vitest'

import { ConnectionError, createClient } from '../src/index.ts'
import { scriptedServer } from './support/scripted-server.ts'

async function failure(url: string): Promise<unknown> {
  const client = createClient({ url, retries: false })
  return await client.GET('/api/v1/me').catch((error: unknown) => error)
}

test('says that no server listens', async () => {
  const [port] = await freePorts(1)
  const error = await failure(`http://127.0.0.1:${port}`)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ reason: 'refused', server: `http://127.0.0.1:${port}` })
})

test('says that a name does not exist', async () => {
  expect(await failure('http://slipway.invalid')).toMatchObject({
    reason: expect.stringMatching(/^name_/),
  })
})

test('says that a certificate is not trusted', async () => {
  await using authority = await testAuthority()
  const { chain, key } = await authority.issue()
  const server = createServer({ cert: chain, key }).listen(0, 'localhost')
  await once(server, 'listening')
  try {
    const { port } = server.address() as { port: number }
    const url = `https://localhost:${port}`
    expect(await failure(url)).toMatchObject({
      reason: 'tls',
      message: expect.stringMatching(/^https:\/\/localhost:\d+: the TLS connection failed: .*cert/),
    })
    expect(await failure(`http://localhost:${port}`)).toMatchObject({ reason: 'cut' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('says that a server does not speak TLS', async () => {
  await using server = await scriptedServer()
  expect(await failure(server.url.replace('http:', 'https:'))).toMatchObject({ reason: 'tls' })
})
