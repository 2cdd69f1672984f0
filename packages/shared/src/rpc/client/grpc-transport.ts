import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type DescService,
  type MessageInitShape,
} from '@bufbuild/protobuf'
import { Code, ConnectError, type StreamResponse } from '@connectrpc/connect'
import { findTrailerError } from '@connectrpc/connect/protocol-grpc'
import { Metadata, type CallOptions, type ServiceError } from '@grpc/grpc-js'

import { headersFromMetadata, metadataFromHeaders } from '../grpc-metadata.ts'
import { isTracing } from '../../telemetry/spans.ts'
import { withCalledService } from '../called-service.ts'
import { withClientSpans } from './client-spans.ts'
import { GrpcChannel } from './grpc-channel.ts'
import { MAX_RESPONSE_BYTES } from '../limits.ts'
import { methodPath } from '../method-path.ts'
import { RETRY_POLICY } from './retry-policy.ts'
import { withTlsHint } from './tls-hint.ts'
import type { TrustedCa } from './trusted-ca.ts'
import {
  DEFAULT_TIMEOUT_MS,
  isPlainRecord,
  type CallHeaders,
  type RpcTransport,
} from './rpc-transport.ts'

/**
 * Opens a channel to the given `host:port` addresses and calls them round-robin. A single name can
 * resolve to several addresses (a headless Service), and is resolved again every few seconds. When
 * the server is unavailable, calls whose proto declares them idempotent or free of side effects are
 * retried, within a budget. With `trustedCa` the channel uses TLS and accepts only certificates of
 * these authorities for the host in the address.
 */
export function createGrpcTransport(
  addresses: readonly string[],
  services: readonly DescService[],
  trustedCa?: TrustedCa,
): RpcTransport {
  const channel = new GrpcChannel(addresses, trustedCa, {
    'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
    'grpc.max_send_message_length': MAX_RESPONSE_BYTES,
    'grpc.enable_channelz': 0,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.service_config': JSON.stringify(serviceConfig(services)),
  })

  const transport: RpcTransport = {
    unary: async (method, signal, timeoutMs, header, input) => {
      const client = await channel.client(timeoutMs ?? DEFAULT_TIMEOUT_MS)
      signal?.throwIfAborted()
      return await new Promise((resolve, reject) => {
        let headerMetadata: Metadata | undefined
        let trailerMetadata: Metadata | undefined
        const call = client.makeUnaryRequest(
          methodPath(method),
          serializer(method.input),
          (bytes) => fromBinary(method.output, bytes),
          create(method.input, input),
          outgoingMetadata(header),
          callOptions(timeoutMs ?? DEFAULT_TIMEOUT_MS),
          (error, message) => {
            signal?.removeEventListener('abort', cancel)
            if (error) reject(errorFrom(error, method, signal))
            else if (message === undefined)
              reject(new ConnectError('the response has no message', Code.Internal))
            else {
              resolve({
                stream: false,
                service: method.parent,
                method,
                message,
                // Rarely used.
                get header() {
                  return headerMetadata === undefined
                    ? new Headers()
                    : headersFromMetadata(headerMetadata)
                },
                get trailer() {
                  return trailerMetadata === undefined
                    ? new Headers()
                    : headersFromMetadata(trailerMetadata)
                },
              })
            }
          },
        )
        const cancel = () => call.cancel()
        signal?.addEventListener('abort', cancel, { once: true })
        call.on('metadata', (metadata) => {
          headerMetadata = metadata
        })
        call.on('status', (status) => {
          trailerMetadata = status.metadata
        })
      })
    },

    async stream(
      method,
      signal,
      timeoutMs,
      header,
      input,
    ): Promise<StreamResponse<typeof method.input, typeof method.output>> {
      if (method.methodKind !== 'server_streaming') {
        throw new ConnectError('only server streams are supported', Code.Unimplemented)
      }
      const client = await channel.client(timeoutMs ?? DEFAULT_TIMEOUT_MS)
      signal?.throwIfAborted()
      const trailer = new Headers()
      const responseHeader = new Headers()
      const call = client.makeServerStreamRequest(
        methodPath(method),
        serializer(method.input),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        create(method.input, await only(input)),
        outgoingMetadata(header),
        callOptions(timeoutMs),
      )
      const cancel = () => call.cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      call.on('metadata', (metadata: Metadata) =>
        copy(headersFromMetadata(metadata), responseHeader),
      )
      call.on('status', (status) => copy(headersFromMetadata(status.metadata), trailer))
      async function* messages() {
        try {
          for await (const message of call) yield message
        } catch (error) {
          throw errorFrom(error, method, signal)
        } finally {
          signal?.removeEventListener('abort', cancel)
          call.cancel()
        }
      }
      return {
        stream: true,
        service: method.parent,
        method,
        header: responseHeader,
        message: messages(),
        trailer,
      }
    },

    [Symbol.dispose]() {
      channel[Symbol.dispose]()
    },
  }
  return isTracing() ? withClientSpans(transport, 'grpc') : transport
}

/** https://github.com/grpc/proposal/blob/master/A6-client-retries.md */
function serviceConfig(services: readonly DescService[]): object {
  const retryable = services
    .flatMap((service) => service.methods)
    .filter((method) => method.idempotency !== 0 && method.methodKind === 'unary')
    .map((method) => ({ service: method.parent.typeName, method: method.name }))
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    retryThrottling: { maxTokens: RETRY_POLICY.maxTokens, tokenRatio: RETRY_POLICY.tokenRatio },
    methodConfig: [
      {
        name: retryable,
        retryPolicy: {
          maxAttempts: RETRY_POLICY.maxAttempts,
          initialBackoff: `${RETRY_POLICY.firstBackoffMs / 1000}s`,
          maxBackoff: '0.5s',
          backoffMultiplier: RETRY_POLICY.backoffMultiplier,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }
}

function serializer(schema: DescMessage): (message: object) => Buffer {
  return (message) => Buffer.from(toBinary(schema, message as never))
}

function outgoingMetadata(header: CallHeaders | undefined): Metadata {
  if (header === undefined) return new Metadata()
  if (!isPlainRecord(header)) return metadataFromHeaders(new Headers(header))
  const metadata = new Metadata()
  for (const [key, value] of Object.entries(header)) metadata.set(key, value)
  return metadata
}

function callOptions(timeoutMs: number | undefined): CallOptions {
  return timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs }
}

function copy(from: Headers, to: Headers): void {
  for (const [key, value] of from) to.append(key, value)
}

async function only<Input extends DescMessage>(
  input: AsyncIterable<MessageInitShape<Input>>,
): Promise<MessageInitShape<Input>> {
  for await (const message of input) return message
  throw new ConnectError('the request has no message', Code.Internal)
}

function errorFrom(error: unknown, method: DescMethod, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return ConnectError.from(signal.reason, Code.Canceled)
  return withCalledService(callError(error), method)
}

function callError(error: unknown): ConnectError {
  if (!isServiceError(error)) return ConnectError.from(error)
  const detailed = error.metadata.get('grpc-status-details-bin').length > 0
  const trailer = headersFromMetadata(error.metadata)
  if (detailed) trailer.set('grpc-status', String(error.code))
  const found = detailed ? findTrailerError(trailer) : undefined
  if (found !== undefined) return found
  // Otherwise it may be the text of a handler.
  const isUnconnected = error.details.includes('No connection established')
  const message = isUnconnected ? withTlsHint(error.details) : error.details
  return new ConnectError(message, error.code as number, trailer, undefined, error)
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'metadata' in error && error.metadata instanceof Metadata
}
