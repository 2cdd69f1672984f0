import { once } from 'node:events'
import { connect, type ClientHttp2Session } from 'node:http2'

import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startGrpcServer } from '../src/rpc/server/grpc-server.ts'

/** Opens a connection; resolves to whether the server keeps it. */
async function open(address: string): Promise<{ session: ClientHttp2Session; isKept: boolean }> {
  const session = connect(`http://${address}`)
  session.on('error', () => {})
  const settings = once(session, 'remoteSettings').then(() => true)
  const closed = new Promise<boolean>((resolve) => session.once('close', () => resolve(false)))
  return { session, isKept: await Promise.race([settings.catch(() => false), closed]) }
}

test('limits the connections of an address, and accepts new ones when others close', async () => {
  await using server = await startGrpcServer('127.0.0.1:0', [], 0, { connectionsPerAddress: 3 })
  const held = [await open(server.address), await open(server.address), await open(server.address)]
  expect(held.map(({ isKept }) => isKept)).toEqual([true, true, true])
  expect((await open(server.address)).isKept).toBe(false)
  held[0]?.session.destroy()
  await waitFor(
    async () => {
      const { session, isKept } = await open(server.address)
      session.destroy()
      return isKept
    },
    { what: 'a new connection in place of the closed one' },
  )
  for (const { session } of held) session.destroy()
})

test('limits the calls of each connection', async () => {
  await using server = await startGrpcServer('127.0.0.1:0', [], 0, { connectionsPerAddress: 3 })
  const { session } = await open(server.address)
  expect(session.remoteSettings.maxConcurrentStreams).toBe(100)
  session.destroy()
})
