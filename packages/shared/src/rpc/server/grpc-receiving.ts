import type { ServerHttp2Stream } from 'node:http2'

import { Code, ConnectError } from '@connectrpc/connect'
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js'

import { toConnectError } from '../policies/error-mapping.ts'
import { requestTooLarge } from './request-message.ts'

/** The bytes before a message: one says whether it is compressed, the others are its length. */
const PREFIX_BYTES = 5

/** How a call's request is received. */
export interface RequestReceiver {
  /** Whether the request may have more than one message; its handler then bounds their size. */
  readonly isStream: boolean
  /** Maximum size of the message, as sent. */
  readonly maxBytes: number
  /** What a compressed message counts in addition when it is decompressed. */
  readonly maxDecompressedBytes: number
  /** Takes the memory for bytes that have arrived. Throws if there is none. */
  readonly take: (bytes: number) => void
  /** Ends the call with an error. */
  readonly reject: (error: ConnectError) => void
}

/**
 * Follows the bytes of a call's request as they arrive, before grpc-js keeps them: it reads a
 * message without any bound but the size of one message. Call the returned
 * function when the call has ended: the bytes that still arrive are dropped.
 */
export function receiveRequest(
  call: ServerInterceptingCallInterface,
  { isStream, maxBytes, maxDecompressedBytes, take, reject }: RequestReceiver,
): () => void {
  let prefix = Buffer.alloc(0)
  let received = 0
  let isOver = false

  function receive(chunk: Buffer): void {
    const wasComplete = isComplete()
    received += chunk.length
    if (prefix.length < PREFIX_BYTES)
      prefix = Buffer.concat([prefix, chunk.subarray(0, PREFIX_BYTES - prefix.length)])
    if (!isStream) requireOneMessage()
    take(chunk.length)
    // grpc-js decompresses the message at once, and the size is not known in advance.
    if (!wasComplete && isComplete() && prefix[0] === 1) take(maxDecompressedBytes)
  }
  function requireOneMessage(): void {
    if (received > maxBytes + PREFIX_BYTES) throw requestTooLarge(maxBytes)
    if (received > requestBytes())
      throw new ConnectError('the request has more than one message', Code.Unimplemented)
  }
  /** The size of the request; unknown until its prefix has arrived. */
  function requestBytes(): number {
    return prefix.length < PREFIX_BYTES ? Infinity : PREFIX_BYTES + prefix.readUInt32BE(1)
  }
  function isComplete(): boolean {
    return received === requestBytes()
  }

  streamOf(call).prependListener('data', (chunk: Buffer) => {
    if (isOver) return
    try {
      receive(chunk)
    } catch (error) {
      isOver = true
      reject(toConnectError(error))
    }
  })
  return () => {
    isOver = true
  }
}

/** The HTTP/2 stream of a call, which grpc-js doesn't export. */
function streamOf(call: ServerInterceptingCallInterface): ServerHttp2Stream {
  if ('stream' in call) return call.stream as ServerHttp2Stream
  throw new Error('a call of grpc-js has no stream; it must be the outermost interceptor')
}
