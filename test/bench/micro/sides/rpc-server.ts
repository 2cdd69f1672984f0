import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { fastifyConnectPlugin } from '@connectrpc/connect-fastify'
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js'
import {
  AccountService,
  type CheckAccessResponse,
} from '@slipway/proto/slipway/catalog/v1/account_service'
import { startConnectServer } from '@slipway/shared/rpc'
import { fastify } from 'fastify'

import type { Side, StartSide } from '../side.ts'
import { METHOD, METHOD_PATH, RESPONSE } from './rpc.ts'

const ANY_PORT = '127.0.0.1:0'
const implementation = { checkAccess: () => RESPONSE }

/** Servers of one unary method, without policies; each outputs its address. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: async () => {
    const services = [{ service: AccountService, implementation: implementation as never }]
    const { address } = await startConnectServer(ANY_PORT, services)
    return { output: address }
  },
  'connect-fastify': async () => {
    const app = fastify()
    await app.register(fastifyConnectPlugin, {
      routes: (router) => router.service(AccountService, implementation),
    })
    return { output: new URL(await app.listen({ host: '127.0.0.1', port: 0 })).host }
  },
  'grpc-js': serveByGrpcJs,
}

async function serveByGrpcJs(): Promise<Side> {
  const server = new Server()
  const checkAccess = {
    path: METHOD_PATH,
    requestStream: false,
    responseStream: false,
    requestSerialize: (): Buffer => Buffer.alloc(0),
    requestDeserialize: (bytes: Buffer) => fromBinary(METHOD.input, bytes),
    responseSerialize: (message: CheckAccessResponse) =>
      Buffer.from(toBinary(METHOD.output, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(METHOD.output, bytes),
  } as const
  server.addService(
    { checkAccess },
    {
      checkAccess: (_call: unknown, respond: sendUnaryData<CheckAccessResponse>) =>
        respond(null, RESPONSE),
    },
  )
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.bindAsync(ANY_PORT, ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  )
  return { output: `127.0.0.1:${await promise}` }
}
