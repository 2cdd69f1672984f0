import { once } from 'node:events'
import { connect } from 'node:net'

import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { startGrpcServer } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'
import { partialService } from './support/partial-service.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** More than the buffers of the kernel and of all programs on the way. */
const MAX_CHUNKS = 1_000

test.each(['', '&follow=true'])(
  'pauses a log whose client stops reading, and closes it (%s)',
  async (query) => {
    let sent = 0
    let isEnded = false
    const flood = partialService(WorkloadService, {
      async *streamLogs() {
        try {
          for (; sent < MAX_CHUNKS; sent += 1) yield { data: CHUNK }
        } finally {
          isEnded = true
        }
      },
    })
    await using deployer = await startGrpcServer('127.0.0.1:0', [flood], 0)
    await using gateway = await startLoneGateway({
      DEPLOYER_ADDRESS: deployer.address,
      STALL_TIMEOUT_MS: '200',
    })
    const token = await gateway.issuer.userToken('alice')
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `GET /api/v1/deployments/ns/logs?account=alice&pod=p${query} HTTP/1.1\r\n` +
        `host: x\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    const [start] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    expect(start.toString('latin1')).toMatch(/^HTTP\/1.1 200/)
    await waitFor(() => isEnded, { what: 'the log to be closed' })
    expect(sent).toBeLessThan(MAX_CHUNKS)
    socket.destroy()
  },
)
