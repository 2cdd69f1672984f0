import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'

import { limitConnectionAge } from './connection-age.ts'

async function answerOf(server: Server): Promise<Response> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return await fetch(`http://127.0.0.1:${port}`)
}

test.each([
  ['asks a client to leave a connection of that age', 0, 'close'],
  ['lets a client use a younger connection again', 60_000, 'keep-alive'],
])('%s', async (_title, maxAgeMs, connection) => {
  const server = createServer((_request, response) => response.end())
  limitConnectionAge(server, maxAgeMs)
  try {
    expect((await answerOf(server)).headers.get('connection')).toBe(connection)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
