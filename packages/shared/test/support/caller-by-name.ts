// Calls the servers of a name by gRPC until its input ends, then prints a line for each failure.
import { setTimeout as sleep } from 'node:timers/promises'

import { createClient } from '@connectrpc/connect'
import { Health } from '@slipway/proto/grpc/health/v1/health'

import { createGrpcTransport } from '../../src/rpc/index.ts'

const [address = ''] = process.argv.slice(2)
using transport = createGrpcTransport([address], [])
const client = createClient(Health, transport)
let isStopped = false
process.stdin.on('end', () => (isStopped = true)).resume()
const failures: unknown[] = []
while (!isStopped) {
  await client.check({}).catch((error: unknown) => failures.push(error))
  await sleep(5)
}
for (const failure of failures) process.stdout.write(`${String(failure)}\n`)
