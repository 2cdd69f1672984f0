import { once } from 'node:events'
import { connect } from 'node:net'

import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'

/** Opens a connection and sends a request; `head` is empty if the gateway closes it instead. */
async function openAndSend(url: string, path = '/livez') {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  const [bytes] = (await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => []),
  ])) as [Buffer?]
  return { socket, head: bytes?.toString('latin1') ?? '' }
}

test('limits the connections of an address, and accepts new ones when others close', async () => {
  await using gateway = await startLoneGateway({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
  const open = async () => await openAndSend(gateway.url)
  const held = [await open(), await open(), await open()]
  expect(held.map(({ head }) => head.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'))
  expect((await open()).head).toBe('')
  held[0]?.socket.destroy()
  await waitFor(
    async () => {
      const { head, socket } = await open()
      socket.destroy()
      return head !== ''
    },
    { what: 'a new connection in place of the closed one' },
  )
  for (const { socket } of held) socket.destroy()
})

test('does not limit the connections of a trusted proxy', async () => {
  await using gateway = await startLoneGateway({
    MAX_CONNECTIONS_PER_ADDRESS: '1',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const open = async () => await openAndSend(gateway.url)
  const held = [await open(), await open(), await open()]
  expect(held.map(({ head }) => head.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'))
  for (const { socket } of held) socket.destroy()
})

test('closes the connection of a client that sends too many requests', async () => {
  await using gateway = await startLoneGateway({
    RATE_LIMIT_ADDRESS_BURST: '1',
    RATE_LIMIT_ADDRESS_PER_SECOND: '1',
  })
  const send = async () => await openAndSend(gateway.url, '/api/v1/nothing')
  const first = await send()
  expect(first.head).toMatch(/^HTTP\/1.1 404.*connection: keep-alive/is)
  const sent = [first]
  while (!sent.some(({ head }) => head.startsWith('HTTP/1.1 429')))
    sent.push(...(await Promise.all(Array.from({ length: 4 }, send))))
  const refused = sent.find(({ head }) => head.startsWith('HTTP/1.1 429'))
  expect(refused?.head).toMatch(/connection: close/i)
  if (refused?.socket.destroyed === false) await once(refused.socket, 'close')
  for (const { socket } of sent) socket.destroy()
})
