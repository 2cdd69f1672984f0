import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

import { expect, test } from 'vitest'

import { reachedOf, type Target } from './reach.ts'

const PAUSE_MS = 1

async function listen(): Promise<{ readonly server: Server; readonly target: Target }> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, target: { what: 'a server', host: '127.0.0.1', port } }
}

test('only a port that is open is reached', async () => {
  const [open, closed] = [await listen(), await listen()]
  closed.server.close()
  expect(await reachedOf([closed.target, open.target], PAUSE_MS)).toEqual([open.target])
  open.server.close()
})

test('a port that closes after the first connection is not reached', async () => {
  const { server, target } = await listen()
  server.once('connection', () => server.close())
  expect(await reachedOf([target], PAUSE_MS)).toEqual([])
})
