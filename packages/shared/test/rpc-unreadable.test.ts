import { fromBinary } from '@bufbuild/protobuf'
import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js'
import { StatusSchema } from '@slipway/proto/google/rpc/status'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createLogger } from '../src/logging/logger.ts'
import { startRpcServer, type RpcServer } from '../src/rpc/index.ts'

const logger = createLogger('test', 'silent')
const tokenVerifier = {
  verify(): Promise<never> {
    throw new Error('no token is expected')
  },
}

let server: RpcServer
let client: Client
beforeAll(async () => {
  server = await startRpcServer({
    logger,
    tokenVerifier,
    grpcAddress: '127.0.0.1:0',
    connectAddress: '127.0.0.1:0',
    opsAddress: '127.0.0.1:0',
    services: [],
    checks: {},
  })
  client = new Client(server.grpcAddress, credentials.createInsecure())
})
afterAll(async () => {
  client.close()
  await server[Symbol.asyncDispose]()
})

/** A truncated length-delimited field, a field number 0, and garbage. */
const UNREADABLE = ['0a7f41', '00', 'ffffffff']

const asIs = (bytes: Buffer): Buffer => bytes

describe('a request that is not a valid message', () => {
  test.each(UNREADABLE)('%s is an invalid argument over gRPC', async (hex) => {
    const error = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        asIs,
        asIs,
        Buffer.from(hex, 'hex'),
        resolve,
      )
    })
    expect(error?.code).toBe(status.INVALID_ARGUMENT)
    const [details] = error?.metadata.get('grpc-status-details-bin') ?? []
    const { message, details: given } = fromBinary(StatusSchema, details as Buffer)
    expect([message, given.map(({ typeUrl }) => typeUrl)]).toEqual([
      'the request is not a valid request for this method',
      ['type.googleapis.com/google.rpc.ErrorInfo'],
    ])
  })

  test.each(UNREADABLE)('%s is an invalid argument of a stream', async (hex) => {
    const stream = client.makeServerStreamRequest(
      '/grpc.health.v1.Health/Watch',
      asIs,
      asIs,
      Buffer.from(hex, 'hex'),
    )
    const error = await new Promise<ServiceError>((resolve) => {
      stream.on('data', () => {})
      stream.on('error', resolve)
    })
    expect(error.code).toBe(status.INVALID_ARGUMENT)
  })

  test.each([
    ['application/json', '{"service":5}'],
    ['application/json', '{"service":'],
    ['application/json', '[]'],
  ])('%s %j is an invalid argument over Connect', async (contentType, body) => {
    const response = await fetch(`http://${server.connectAddress}/grpc.health.v1.Health/Check`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'invalid_argument' },
    ])
  })
})
