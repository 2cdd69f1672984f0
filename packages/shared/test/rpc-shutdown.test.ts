import { Code, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { expect, test } from 'vitest'

import { createLogger } from '../src/logger.ts'
import { createGrpcTransport, guardService, readRemoteError, startRpcServer } from '../src/rpc/index.ts'

/** A server with a stream that ends when it is told to, and only then. */
async function startServer() {
  const dependencies = {
    logger: createLogger('test', 'silent'),
    tokenVerifier: { verify: () => Promise.reject(new Error('nobody is asked for a token')) },
  }
  const implementation = {
    async *streamLogs(_request: unknown, { signal }: { signal: AbortSignal }) {
      yield { data: Buffer.from('first') }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      signal.throwIfAborted()
    },
  }
  return await startRpcServer({
    ...dependencies,
    grpcAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [
      guardService(WorkloadService, implementation as never, { streamLogs: 'public' } as never, dependencies as never),
    ],
    checks: {},
    drainMs: 100,
  })
}

test.each(['native gRPC', 'Connect'])(
  'a stream by %s that would never end keeps no server from stopping',
  async (by) => {
    const server = await startServer()
    using grpc = createGrpcTransport([server.grpcAddress], [WorkloadService])
    const transport =
      by === 'Connect' ? createConnectTransport({ baseUrl: `http://${server.opsAddress}`, httpVersion: '1.1' }) : grpc
    const pieces = createClient(WorkloadService, transport).streamLogs({})[Symbol.asyncIterator]()
    expect(Buffer.from((await pieces.next()).value?.data ?? '').toString()).toBe('first')
    const end = pieces.next().catch((error: unknown) => readRemoteError(error).code)
    await server[Symbol.asyncDispose]()
    expect([Code.Unavailable, Code.Canceled, Code.Aborted]).toContain(await end)
  },
)
