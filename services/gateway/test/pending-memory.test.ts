import { once } from 'node:events'
import { connect } from 'node:net'

import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { startConnectServer } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'
import { partialService } from './support/partial-service.ts'

const DETAIL = '/api/v1/agents/alice/bot'
const README = 'x'.repeat(8 * 1024 * 1024)
/** Together, their responses are larger than MAX_PENDING_BYTES_PER_CALLER. */
const CLIENTS = 20

test('counts nothing for clients that left before their response was ready', async () => {
  const released = Promise.withResolvers<void>()
  let reads = 0
  const service = partialService(AgentService, {
    async getAgent({ account, name }) {
      reads += 1
      await released.promise
      return { agent: { account, name, versions: [{ buildId: 'b', readme: README }] } }
    },
  })
  await using catalog = await startConnectServer('127.0.0.1:0', [service])
  await using gateway = await startLoneGateway(
    { CATALOG_ADDRESS: catalog.address },
    { publicReadMs: 120_000 },
  )
  const { hostname, port } = new URL(gateway.url)
  const sockets = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`GET ${DETAIL} HTTP/1.1\r\nhost: x\r\n\r\n`)
      return socket
    }),
  )
  // The last one has been sent after the others, so they have arrived.
  await waitFor(() => reads > 0, { what: 'the read' })
  expect((await gateway.send('GET', '/api/v1/agents/alice')).status).toBe(501)
  for (const socket of sockets) socket.destroy()
  expect((await gateway.send('GET', '/api/v1/agents/alice')).status).toBe(501)
  released.resolve()
  // The first response is ready after those of the clients that left.
  const statuses = [await gateway.send('GET', DETAIL), await gateway.send('GET', DETAIL)]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200])
})
