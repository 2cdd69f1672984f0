import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'

import type { DescMethod } from '@bufbuild/protobuf'

import type { FairShare } from '../../fairness/fair-queue.ts'
import { toConnectError } from '../policies/error-mapping.ts'
import { readBody } from './read-body.ts'
import { checkRequest, requestTooLarge } from './request-message.ts'

/** The flags and the length before each message of a streaming or gRPC-web request. */
const ENVELOPE_BYTES = 5
const COMPRESSED_FLAG = 1

const DECOMPRESSORS = new Map([
  ['gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
])

/** How a body is received, which depends on its caller. */
interface Receiver {
  readonly maxBytes: number
  readonly share: FairShare
}

/**
 * Reads the body of a request for Connect's own handlers, and yields it if its message has at most
 * `maxBytes` bytes and few enough values to be decoded. Throws the ConnectError to send. Calls
 * `receive` and reads when the first item is requested: its caller is known from then on.
 */
export async function* boundedBody(
  request: IncomingMessage,
  method: DescMethod,
  receive: () => Receiver,
): AsyncIterable<Uint8Array> {
  const { maxBytes, share } = receive()
  using received = share
  const body = await readBody(request, maxBytes, received)
  const format = /json/.test(request.headers['content-type'] ?? '') ? 'json' : 'binary'
  for (const { bytes, encoding } of messagesIn(request, body)) {
    // The decompressed size is not known in advance.
    if (encoding !== 'identity') takeMemory(received, maxBytes)
    const message = await decompress(bytes, encoding, maxBytes)
    if (message) checkRequest(method, message, format)
  }
  yield body
}

function takeMemory(share: FairShare, bytes: number): void {
  try {
    share.grow(bytes)
  } catch (error) {
    throw toConnectError(error)
  }
}

interface EncodedMessage {
  readonly bytes: Buffer
  readonly encoding: string
}

function* messagesIn({ headers }: IncomingMessage, body: Buffer): Iterable<EncodedMessage> {
  if (/^application\/(proto|json)\b/.test(headers['content-type'] ?? '')) {
    yield { bytes: body, encoding: headers['content-encoding'] ?? 'identity' }
    return
  }
  const names = [headers['connect-content-encoding'], headers['grpc-encoding']]
  const encoding = names.find((name) => typeof name === 'string') ?? 'identity'
  for (let at = 0; at + ENVELOPE_BYTES <= body.length;) {
    const flags = body.readUInt8(at)
    const start = at + ENVELOPE_BYTES
    at = start + body.readUInt32BE(at + 1)
    const isCompressed = (flags & COMPRESSED_FLAG) !== 0
    yield {
      bytes: body.subarray(start, at),
      encoding: isCompressed ? String(encoding) : 'identity',
    }
  }
}

/** Returns undefined for an encoding or bytes that Connect's handlers reject. */
async function decompress(
  bytes: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (encoding === 'identity') return bytes
  try {
    return await DECOMPRESSORS.get(encoding)?.(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof RangeError) throw requestTooLarge(maxBytes)
    return undefined
  }
}
