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

test('sends the body and the token of a change to no other server', async () => {
  const elsewhere = await scriptedServer()
  await using _elsewhere = elsewhere
  for (const status of [307, 308, 302]) {
    const location = `${elsewhere.url}/api/v1/deploy`
    await using server = await scriptedServer((response) => {
      response.writeHead(status, { location }).end()
    })
    const client = createClient({ url: server.url, token: 'secret', retries: false })
    const body = { account: 'a', name: 'b', credentials: { KEY: 'secret' } }
    await expect(client.POST('/api/v1/deploy', { body })).rejects.toMatchObject({
      reason: 'not_slipway',
      message: expect.stringContaining(`redirects changes to ${elsewhere.url}`) as string,
    })
  }
  expect(elsewhere.requests).toEqual([])
})

test('reads may be redirected, without the token', async () => {
  await using elsewhere = await scriptedServer()
  await using server = await scriptedServer((response) => {
    response.writeHead(307, { location: `${elsewhere.url}/api/v1/me` }).end()
  })
  const client = createClient({ url: server.url, token: 'secret', retries: false })
  await expect(client.GET('/api/v1/me')).rejects.toMatchObject({ status: 404 })
  expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
})
