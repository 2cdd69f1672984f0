import type { IncomingMessage, ServerResponse } from 'node:http'

import { create, toBinary } from '@bufbuild/protobuf'
import {
  createContextValues,
  createServiceImplSpec,
  type ContextValues,
  type MethodImplSpec,
} from '@connectrpc/connect'
import {
  codeToHttpStatus,
  errorToJsonBytes,
  parseTimeout,
} from '@connectrpc/connect/protocol-connect'

import type { FairQueue } from '../../fairness/fair-queue.ts'
import { toConnectError } from '../policies/error-mapping.ts'
import { LazyHandlerContext, type IncomingCall } from './lazy-handler-context.ts'
import { methodPath } from '../method-path.ts'
import type { AdmitCaller, GuardedService } from '../policies/guard-service.ts'
import type { OpenCall } from '../policies/open-call.ts'
import { readBody } from './read-body.ts'
import { openReceiving } from './receiving.ts'
import { decodeRequest, maxRequestBytes } from './request-message.ts'

type UnarySpec = MethodImplSpec & { readonly kind: 'unary' }

interface UnaryMethod {
  readonly spec: UnarySpec
  readonly admit: AdmitCaller | undefined
}

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
  readonly #receiving: FairQueue
  readonly #shutdownSignal: AbortSignal
  #isDraining = false

  constructor(
    services: readonly GuardedService[],
    receiving: FairQueue,
    shutdownSignal: AbortSignal,
  ) {
    this.#receiving = receiving
    this.#shutdownSignal = shutdownSignal
    for (const { service, implementation, admit } of services) {
      for (const spec of Object.values(createServiceImplSpec(service, implementation).methods)) {
        if (spec.kind === 'unary') this.#methods.set(methodPath(spec.method), { spec, admit })
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
    const unary = this.#methods.get(url)
    if (unary === undefined) return false
    // An error while writing the response must not end the process.
    this.#respond(unary, request, response).catch(() => response.destroy())
    return true
  }

  async #respond(
    { spec, admit }: UnaryMethod,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const head = { requestHeader: headersOf(request), values: createContextValues() }
    let context: LazyHandlerContext | undefined
    let call: OpenCall | undefined
    try {
      // Before the body is read, so that it takes no memory if the caller is not allowed.
      call = await admit?.(spec.method, head)
      const incoming = { ...head, ...incomingCall(head.requestHeader, response) }
      const message = await this.#readMessage(spec, request, head.values)
      context = new LazyHandlerContext(spec, incoming, this.#shutdownSignal)
      const answer = await spec.impl(message, context)
      const bytes = toBinary(spec.method.output, create(spec.method.output, answer))
      this.#send(response, 200, 'application/proto', bytes, [
        ...namesAndValues(context.givenHeader),
        ...namesAndValues(context.givenTrailer, 'trailer-'),
      ])
    } catch (thrown) {
      // Its metadata is not sent: it can be the headers of another service's response.
      const error = call?.failed(thrown) ?? toConnectError(thrown)
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

  async #readMessage(
    { method }: UnarySpec,
    request: IncomingMessage,
    values: ContextValues,
  ): Promise<never> {
    using share = openReceiving(this.#receiving, values, request.socket.remoteAddress)
    return decodeRequest(method, await readBody(request, maxRequestBytes(values), share)) as never
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

function headersOf({ headers }: IncomingMessage): Headers {
  const found = new Headers()
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' && !NOT_FOR_HANDLERS.has(name)) found.set(name, value)
  }
  return found
}

function incomingCall(
  requestHeader: Headers,
  response: ServerResponse,
): Omit<IncomingCall, 'requestHeader' | 'values'> {
  const timeout = parseTimeout(requestHeader.get('connect-timeout-ms'), Number.MAX_SAFE_INTEGER)
  if (timeout.error) throw timeout.error
  return {
    protocolName: 'connect',
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
