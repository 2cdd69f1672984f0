import type { Server as NetServer } from 'node:net'

import { fromBinary, toBinary, type DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError, createServiceImplSpec } from '@connectrpc/connect'
import {
  Server,
  ServerCredentials,
  type MethodDefinition,
  type UntypedHandleCall,
} from '@grpc/grpc-js'

import { MAX_CONNECTION_AGE_MS } from '../../http/connection-age.ts'
import { limitConnections } from '../../http/connection-limit.ts'
import type { FairQueue } from '../../fairness/fair-queue.ts'
import { admitBefore, type AdmitCall } from './grpc-admission.ts'
import { grpcHandler } from './grpc-handlers.ts'
import { GrpcPolicies } from './grpc-policies.ts'
import { boundAddress } from '../host-and-port.ts'
import { ABORT_GRACE_MS, MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES } from '../limits.ts'
import { methodPath } from '../method-path.ts'
import type { GuardedService } from '../policies/guard-service.ts'
import { createReceiving } from './receiving.ts'
import type { ServerCertificate } from '../../config/tls.ts'

export interface GrpcServer extends AsyncDisposable {
  /** The host:port that it listens on, with the actual port. */
  readonly address: string
}

export interface GrpcServerOptions {
  /** Serves TLS with it; undefined serves plaintext. */
  readonly certificate?: ServerCertificate | undefined
  /** The bound of the requests being received, which the listeners of a process share. */
  readonly receiving?: FairQueue
  /**
   * Maximum number of connections of one address. Each then has at most 100 calls at a time and a
   * limited age. Undefined means no limits.
   */
  readonly connectionsPerAddress?: number
  /** Decides by a call's headers whether its message is read, instead of the services' rules. */
  readonly admit?: AdmitCall
  /** Maximum size of a message, compressed and decompressed. */
  readonly maxMessageBytes?: number
  /** Decodes a request's message instead of the generated code. Must not throw. */
  readonly decode?: (bytes: Uint8Array) => object
}

/** Maximum number of calls of a connection, if connections are limited. */
const MAX_CALLS = 100

/**
 * Serves handlers by native gRPC on grpc-js. Disposing of it stops accepting calls, waits up to
 * `drainMs` for running ones, then aborts them.
 */
export async function startGrpcServer(
  address: string,
  services: readonly GuardedService[],
  drainMs: number,
  {
    certificate,
    receiving = createReceiving(),
    admit,
    maxMessageBytes = MAX_REQUEST_BYTES,
    connectionsPerAddress,
    decode,
  }: GrpcServerOptions = {},
): Promise<GrpcServer> {
  const policies = new GrpcPolicies(admit ? [] : services, receiving)
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': MAX_RESPONSE_BYTES,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.enable_channelz': 0,
    ...(connectionsPerAddress !== undefined && {
      'grpc.max_concurrent_streams': MAX_CALLS,
      'grpc.max_connection_age_ms': MAX_CONNECTION_AGE_MS,
    }),
    interceptors: [admit ? admitBefore(admit, maxMessageBytes) : policies.intercept],
  })
  const shutdown = new AbortController()
  for (const { service, implementation } of services) {
    const definition: Record<string, MethodDefinition<object, object>> = {}
    const handlers: Record<string, UntypedHandleCall> = {}
    for (const [name, spec] of Object.entries(
      createServiceImplSpec(service, implementation).methods,
    )) {
      definition[name] = methodDefinition(spec.method, decode)
      handlers[name] = grpcHandler(spec, policies, shutdown.signal)
    }
    server.addService(definition, handlers)
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentialsOf(certificate), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  if (connectionsPerAddress !== undefined) {
    for (const http2 of http2ServersOf(server))
      limitConnections(http2, connectionsPerAddress, (client) => client)
  }

  return {
    address: boundAddress(address, port),
    async [Symbol.asyncDispose]() {
      const drained = new Promise<void>((resolve) => {
        server.tryShutdown(() => resolve())
      })
      let closeTimer: NodeJS.Timeout | undefined
      const deadline = setTimeout(() => {
        shutdown.abort(new ConnectError('the server is shutting down', Code.Unavailable))
        closeTimer = setTimeout(() => server.forceShutdown(), ABORT_GRACE_MS)
      }, drainMs)
      await drained
      clearTimeout(deadline)
      clearTimeout(closeTimer)
    },
  }
}

/** The HTTP/2 servers of a bound server, which grpc-js doesn't export. */
function http2ServersOf(server: Server): Iterable<NetServer> {
  const servers: unknown = Reflect.get(server, 'http2Servers')
  if (servers instanceof Map) return servers.keys() as Iterable<NetServer>
  throw new Error('a server of grpc-js has no HTTP/2 servers')
}

function credentialsOf(certificate: ServerCertificate | undefined): ServerCredentials {
  if (certificate === undefined) return ServerCredentials.createInsecure()
  const [chain, key] = [Buffer.from(certificate.chain), Buffer.from(certificate.key)]
  return ServerCredentials.createSsl(null, [{ cert_chain: chain, private_key: key }])
}

function methodDefinition(
  method: DescMethod,
  // By default the handler decodes the message, because grpc-js reports errors here as internal.
  decode: (bytes: Uint8Array) => object = (bytes) => bytes,
): MethodDefinition<object, object> {
  return {
    path: methodPath(method),
    requestStream: method.methodKind === 'bidi_streaming',
    responseStream: method.methodKind !== 'unary',
    requestSerialize: (message) => Buffer.from(toBinary(method.input, message as never)),
    requestDeserialize: decode,
    responseSerialize: (message) => Buffer.from(toBinary(method.output, message as never)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  }
}
