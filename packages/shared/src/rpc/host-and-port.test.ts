import { once } from 'node:events'
import { createServer } from 'node:http'

import { expect, test } from 'vitest'

import { boundAddress, hostAndPort } from './host-and-port.ts'

test.each(['127.0.0.1:0', '[::1]:0', '[::]:0'])('a server listens at %s', async (address) => {
  const server = createServer((_request, response) => response.end('hello'))
  server.listen(hostAndPort(address))
  await once(server, 'listening')
  const bound = server.address()
  const { port } = typeof bound === 'object' && bound !== null ? bound : { port: 0 }
  const url = `http://${boundAddress(address, port).replace('[::]', '[::1]')}`
  const answer = await fetch(url, { headers: { connection: 'close' } })
  expect(await answer.text()).toBe('hello')
  server.close()
})
