import type { IncomingMessage, ServerResponse } from 'node:http'

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createServiceImplSpec, type MethodImplSpec } from '@connectrpc/connect'
import {
  codeToHttpStatus,
  errorToJsonBytes,
  parseTimeout,
} from '@connectrpc/connect/protocol-connect'

import { toConnectError, unreadableRequest } from '../policies/error-mapping.ts'
import { LazyHandlerContext, type IncomingCall } from './lazy-handler-context.ts'
import { MAX_MESSAGE_BYTES } from '../limits.ts'
import { methodPath } from '../method-path.ts'
import type { GuardedService } from '../policies/guard-service.ts'

type UnaryMethod = MethodImplSpec & { readonly kind: 'unary' }

/** Headers of the connection or the body, which no handler reads. */
const NOT_FOR_HANDLERS = new Set([
  'host',
  'connection',
  'content-type',
  'content-length',
  'connect-protocol-version',
])

/**
 * Handles the most frequent form of a Connect call (unary, binary, not compressed) without the
 * framework. Connect's own handlers, which support every form, are several times slower. They
 * handle all other requests.
 * https://connectrpc.com/docs/protocol#unary-requests
 */
export class ConnectUnaryServer {
  readonly #methods = new Map<string, UnaryMethod>()
  readonly #shutdownSignal: AbortSignal
  #isDraining = false

  constructor(services: readonly GuardedService[], shutdownSignal: AbortSignal) {
    this.#shutdownSignal = shutdownSignal
    for (const { service, implementation } of services) {
      for (const spec of Object.values(createServiceImplSpec(service, implementation).methods)) {
        if (spec.kind === 'unary') this.#methods.set(methodPath(spec.method), spec)
      }
    }
  }

  /** Makes each response close its connection from now on. */
  drain(): void {
    this.#isDraining = true
  }

  /** Handles the request if it has that form; returns whether it does. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers, method, url = '' } = request
    if (method !== 'POST' || headers['content-type'] !== 'application/proto') return false
    if (headers['content-encoding'] !== undefined) return false
    const spec = this.#methods.get(url)
    if (spec === undefined) return false
    // An error while writing the response must not end the process.
    this.#respond(spec, request, response).catch(() => response.destroy())
    return true
  }

  async #respond(
    spec: UnaryMethod,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let context: LazyHandlerContext | undefined
    try {
      const body = await readBody(request)
      context = new LazyHandlerContext(spec, incomingCall(request, response), this.#shutdownSignal)
      const answer = await spec.impl(readMessage(spec, body), context)
      const bytes = toBinary(spec.method.output, create(spec.method.output, answer))
      this.#send(response, 200, 'application/proto', bytes, [
        ...namesAndValues(context.givenHeader),
        ...namesAndValues(context.givenTrailer, 'trailer-'),
      ])
    } catch (thrown) {
      // Its metadata is not sent: it can be the headers of another service's response.
      const error = toConnectError(thrown)
      this.#send(
        response,
        codeToHttpStatus(error.code),
        'application/json',
        errorToJsonBytes(error, undefined),
      )
    } finally {
      context?.finish()
    }
  }

  #send(
    response: ServerResponse,
    status: number,
    type: string,
    body: Uint8Array,
    more: readonly string[] = [],
  ): void {
    // The rest of an unread body would be parsed as the next request.
    if (this.#isDraining || !response.req.complete) response.shouldKeepAlive = false
    response.writeHead(status, [
      'content-type',
      type,
      'content-length',
      String(body.length),
      ...more,
    ])
    response.end(body)
  }
}

/** Reads the whole body; rejects if it is too large or incomplete. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_MESSAGE_BYTES) chunks.push(chunk)
      else
        reject(
          new ConnectError(
            `the message is larger than ${MAX_MESSAGE_BYTES} bytes`,
            Code.ResourceExhausted,
          ),
        )
    })
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    )
    request.on('error', reject)
  })
}

function readMessage({ method }: UnaryMethod, body: Buffer): never {
  try {
    return fromBinary(method.input, body) as never
  } catch (error) {
    throw unreadableRequest(error)
  }
}

function incomingCall({ headers }: IncomingMessage, response: ServerResponse): IncomingCall {
  const requestHeader = new Headers()
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' && !NOT_FOR_HANDLERS.has(name)) requestHeader.set(name, value)
  }
  const timeout = parseTimeout(requestHeader.get('connect-timeout-ms'), Number.MAX_SAFE_INTEGER)
  if (timeout.error) throw timeout.error
  return {
    protocolName: 'connect',
    requestHeader,
    deadline: timeout.timeoutMs === undefined ? Infinity : Date.now() + timeout.timeoutMs,
    isCancelled: () => response.destroyed && !response.writableFinished,
    onCancelled: (listener) =>
      response.once('close', () => {
        if (!response.writableFinished) listener()
      }),
  }
}

function namesAndValues(headers: Headers | undefined, prefix = ''): string[] {
  return headers === undefined
    ? []
    : [...headers].flatMap(([name, value]) => [prefix + name, value])
}
