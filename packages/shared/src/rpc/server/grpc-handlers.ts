import { on, once, type EventEmitter } from 'node:events'

import { create } from '@bufbuild/protobuf'
import type { MethodImplSpec } from '@connectrpc/connect'
import type {
  Metadata,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceError,
  UntypedHandleCall,
} from '@grpc/grpc-js'

import { metadataFromHeaders } from '../grpc-metadata.ts'
import { MAX_REQUEST_STREAM_BYTES, MAX_REQUEST_STREAM_MS } from '../limits.ts'
import type { AdmittedCaller, GrpcPolicies } from './grpc-policies.ts'
import { statusOf } from './grpc-status.ts'
import { LazyHandlerContext } from './lazy-handler-context.ts'
import { decodeRequest, maxRequestBytes, requestTooLarge } from './request-message.ts'

type UnaryCall = ServerUnaryCall<object, object>
type StreamCall = ServerWritableStream<object, object>
type DuplexCall = ServerDuplexStream<object, object>
type Incoming = UnaryCall | StreamCall | DuplexCall

/** The handler of a method for grpc-js. The policies have admitted its calls. */
export function grpcHandler(
  spec: MethodImplSpec,
  policies: GrpcPolicies,
  shutdownSignal: AbortSignal,
): UntypedHandleCall {
  const open = (incoming: Incoming) => openHandler(spec, incoming, policies, shutdownSignal)
  return spec.kind === 'unary' ? unaryHandler(spec, open) : streamHandler(spec, open)
}

interface OpenHandler extends Pick<AdmittedCaller, 'call'> {
  readonly context: LazyHandlerContext
  /** Decodes a message of the call; throws the ConnectError to send if it is invalid. */
  readonly readMessage: (request: object) => never
}

function openHandler(
  spec: MethodImplSpec,
  incoming: Incoming,
  policies: GrpcPolicies,
  shutdownSignal: AbortSignal,
): OpenHandler {
  const { head, call } = policies.take(incoming.metadata)
  const context = new LazyHandlerContext(
    spec,
    {
      ...head,
      protocolName: 'grpc',
      deadline: Math.min(
        Number(incoming.getDeadline()),
        spec.kind === 'bidi_streaming' ? Date.now() + MAX_REQUEST_STREAM_MS : Infinity,
      ),
      isCancelled: () => incoming.cancelled,
      onCancelled: (listener) => (incoming as EventEmitter).once('cancelled', listener),
    },
    shutdownSignal,
  )
  const readMessage = (request: object) => {
    if (!(request instanceof Uint8Array)) return request as never
    const maxBytes = maxRequestBytes(head.values)
    if (request.length > maxBytes) throw requestTooLarge(maxBytes)
    return decodeRequest(spec.method, request) as never
  }
  return { context, call, readMessage }
}

type Open = (incoming: Incoming) => OpenHandler

function unaryHandler(spec: MethodImplSpec, open: Open): UntypedHandleCall {
  if (spec.kind !== 'unary') throw new Error('not a unary method')
  return ((
    incoming: UnaryCall,
    respond: (error: Partial<ServiceError> | null, value?: object, trailer?: Metadata) => void,
  ) => {
    const { context, call, readMessage } = open(incoming)
    void (async () => {
      try {
        const response = await spec.impl(readMessage(incoming.request), context)
        const trailer = context.givenTrailer
        respond(null, create(spec.method.output, response), trailer && metadataFromHeaders(trailer))
      } catch (error) {
        respond(statusOf(call?.failed(error) ?? error))
      } finally {
        context.finish()
      }
    })()
  }) as UntypedHandleCall
}

function streamHandler(spec: MethodImplSpec, open: Open): UntypedHandleCall {
  return ((stream: StreamCall | DuplexCall) => {
    const { context, call, readMessage } = open(stream)
    void (async () => {
      try {
        for await (const response of responsesOf(spec, stream, { context, readMessage })) {
          if (stream.cancelled) break
          // A slow reader pauses the handler, so that responses don't pile up in memory.
          if (!stream.write(create(spec.method.output, response as Record<string, unknown>)))
            await once(stream, 'drain', { signal: context.signal })
        }
        stream.end(metadataFromHeaders(context.responseTrailer))
      } catch (error) {
        stream.emit('error', statusOf(call?.failed(error, () => context.signal) ?? error))
      } finally {
        context.finish()
      }
    })()
  }) as UntypedHandleCall
}

function responsesOf(
  spec: MethodImplSpec,
  stream: StreamCall | DuplexCall,
  { context, readMessage }: Pick<OpenHandler, 'context' | 'readMessage'>,
): AsyncIterable<object> {
  if (spec.kind === 'server_streaming' && 'request' in stream)
    return spec.impl(readMessage(stream.request), context) as AsyncIterable<object>
  if (spec.kind !== 'bidi_streaming') throw new Error('not a method with a stream of responses')
  async function* messages() {
    // Ends with the call, even if the caller sends nothing more.
    const arriving = on(stream, 'data', { signal: context.signal, close: ['end'] })
    let bytes = 0
    for await (const [message] of arriving as AsyncIterable<[Uint8Array]>) {
      bytes += message.length
      if (bytes > MAX_REQUEST_STREAM_BYTES) throw requestTooLarge(MAX_REQUEST_STREAM_BYTES)
      yield readMessage(message)
    }
  }
  return spec.impl(messages(), context) as AsyncIterable<object>
}
