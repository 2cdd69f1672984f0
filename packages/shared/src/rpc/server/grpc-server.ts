import { once } from 'node:events'

import { create, fromBinary, toBinary, type DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError, createServiceImplSpec, type MethodImplSpec } from '@connectrpc/connect'
import {
  type Metadata,
  Server,
  ServerCredentials,
  type MethodDefinition,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type UntypedHandleCall,
} from '@grpc/grpc-js'

import { unreadableRequest } from '../policies/error-mapping.ts'
import { admitBefore, type AdmitCall } from './grpc-admission.ts'
import { headersFromMetadata, metadataFromHeaders } from '../grpc-metadata.ts'
import { statusOf } from './grpc-status.ts'
import { hostAndPort } from '../host-and-port.ts'
import { LazyHandlerContext, type IncomingCall } from './lazy-handler-context.ts'
import { MAX_MESSAGE_BYTES } from '../limits.ts'
import { methodPath } from '../method-path.ts'
import type { GuardedService } from '../policies/guard-service.ts'
import type { ServerCertificate } from '../../tls.ts'

/** A listening gRPC server. */
export interface GrpcServer extends AsyncDisposable {
  /** The host:port that it listens on, with the actual port. */
  readonly address: string
}

/** Options of a gRPC server. */
export interface GrpcServerOptions {
  /** Serves TLS with it; undefined serves plaintext. */
  readonly certificate?: ServerCertificate | undefined
  /** Decides by a call's headers whether its message is read. */
  readonly admit?: AdmitCall
  /** Maximum size of a message, compressed and decompressed. */
  readonly maxMessageBytes?: number
  /** Decodes a request's message instead of the generated code. */
  readonly decode?: (bytes: Uint8Array) => object
}

type UnaryCall = ServerUnaryCall<object, object>
type StreamCall = ServerWritableStream<object, object>

/**
 * Serves handlers by native gRPC on grpc-js. Disposing of it stops accepting calls, waits up to
 * `drainMs` for running ones, then aborts them.
 */
export async function startGrpcServer(
  address: string,
  services: readonly GuardedService[],
  drainMs: number,
  { certificate, admit, maxMessageBytes = MAX_MESSAGE_BYTES, decode }: GrpcServerOptions = {},
): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.enable_channelz': 0,
    ...(admit && { interceptors: [admitBefore(admit)] }),
  })
  const shutdown = new AbortController()
  for (const { service, implementation } of services) {
    const definition: Record<string, MethodDefinition<object, object>> = {}
    const handlers: Record<string, UntypedHandleCall> = {}
    for (const [name, spec] of Object.entries(
      createServiceImplSpec(service, implementation).methods,
    )) {
      definition[name] = methodDefinition(spec.method, decode)
      handlers[name] =
        spec.kind === 'unary'
          ? unaryHandler(spec, shutdown.signal)
          : streamHandler(spec, shutdown.signal)
    }
    server.addService(definition, handlers)
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentialsOf(certificate), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })

  return {
    address: `${hostAndPort(address).host}:${port}`,
    async [Symbol.asyncDispose]() {
      const drained = new Promise<void>((resolve) => {
        server.tryShutdown(() => resolve())
      })
      const deadline = setTimeout(() => {
        shutdown.abort(new ConnectError('the server is shutting down', Code.Unavailable))
        server.forceShutdown()
      }, drainMs)
      await drained
      clearTimeout(deadline)
    },
  }
}

function credentialsOf(certificate: ServerCertificate | undefined): ServerCredentials {
  if (certificate === undefined) return ServerCredentials.createInsecure()
  const [chain, key] = [Buffer.from(certificate.chain), Buffer.from(certificate.key)]
  return ServerCredentials.createSsl(null, [{ cert_chain: chain, private_key: key }])
}

function methodDefinition(
  method: DescMethod,
  decode: (bytes: Uint8Array) => object = (bytes) => fromBinary(method.input, bytes),
): MethodDefinition<object, object> {
  return {
    path: methodPath(method),
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: (message) => Buffer.from(toBinary(method.input, message as never)),
    requestDeserialize: (bytes) => readRequest(decode, bytes),
    responseSerialize: (message) => Buffer.from(toBinary(method.output, message as never)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  }
}

function unaryHandler(spec: MethodImplSpec, shutdownSignal: AbortSignal): UntypedHandleCall {
  if (spec.kind !== 'unary') throw new Error('not a unary method')
  return ((
    call: UnaryCall,
    respond: (error: Partial<ServiceError> | null, value?: object, trailer?: Metadata) => void,
  ) => {
    const context = new LazyHandlerContext(spec, incomingCall(call), shutdownSignal)
    void (async () => {
      try {
        const response = await spec.impl(requestOf(call), context)
        const trailer = context.givenTrailer
        respond(null, create(spec.method.output, response), trailer && metadataFromHeaders(trailer))
      } catch (error) {
        respond(statusOf(error))
      } finally {
        context.finish()
      }
    })()
  }) as UntypedHandleCall
}

function streamHandler(spec: MethodImplSpec, shutdownSignal: AbortSignal): UntypedHandleCall {
  if (spec.kind !== 'server_streaming') throw new Error('not a server-streaming method')
  return ((call: StreamCall) => {
    const context = new LazyHandlerContext(spec, incomingCall(call), shutdownSignal)
    void (async () => {
      try {
        for await (const response of spec.impl(requestOf(call), context)) {
          if (call.cancelled) break
          // A slow reader pauses the handler, so that responses don't pile up in memory.
          if (!call.write(create(spec.method.output, response)))
            await once(call, 'drain', { signal: context.signal })
        }
        call.end(metadataFromHeaders(context.responseTrailer))
      } catch (error) {
        call.emit('error', statusOf(error))
      } finally {
        context.finish()
      }
    })()
  }) as UntypedHandleCall
}

function incomingCall(call: UnaryCall | StreamCall): IncomingCall {
  return {
    protocolName: 'grpc',
    requestHeader: headersFromMetadata(call.metadata),
    deadline: Number(call.getDeadline()),
    isCancelled: () => call.cancelled,
    onCancelled: (listener) => call.once('cancelled', listener),
  }
}

/**
 * Stands in for a message that can't be decoded: grpc-js reports a decoder that throws as an
 * internal error.
 */
class UnreadableRequest {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

function readRequest(decode: (bytes: Uint8Array) => object, bytes: Uint8Array): object {
  try {
    return decode(bytes)
  } catch (error) {
    return new UnreadableRequest(error)
  }
}

function requestOf({ request }: { request: object }): never {
  if (!(request instanceof UnreadableRequest)) return request as never
  throw unreadableRequest(request.cause)
}
