import { create, fromBinary, toBinary, type DescMessage, type DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError, type UnaryResponse } from '@connectrpc/connect'
import {
  codeFromHttpStatus,
  errorFromJsonBytes,
  trailerDemux,
} from '@connectrpc/connect/protocol-connect'

import { isTracing } from '../../telemetry/spans.ts'
import { backoffMs, sleepOrAbort } from '../../waiting.ts'
import { withClientSpans } from './client-spans.ts'
import { Endpoints } from './endpoints.ts'
import { exchange, NotSent, type HttpResponse, type HttpRequest } from './http-exchange.ts'
import { RETRY_POLICY, RetryBudget } from './retry-policy.ts'
import type { TrustedCa } from './trusted-ca.ts'
import { withCalledService } from '../called-service.ts'
import { MAX_TIMER_MS } from '../limits.ts'
import { methodPath } from '../method-path.ts'
import {
  DEFAULT_TIMEOUT_MS,
  isPlainRecord,
  type CallHeaders,
  type RpcTransport,
} from './rpc-transport.ts'

/**
 * Calls the unary methods of a service by Connect over persistent HTTP/1.1 connections, round-robin
 * over the given `host:port` addresses. A call that could not be sent goes to the next server. When
 * a server is unavailable, calls whose proto declares them idempotent or free of side effects are
 * retried, within a budget. With `trustedCa` the connections use TLS and accept only certificates
 * of these authorities for the host in the address.
 */
export function createConnectUnaryTransport(
  addresses: readonly string[],
  trustedCa?: TrustedCa,
): RpcTransport {
  const endpoints = new Endpoints(addresses, trustedCa)
  const budget = new RetryBudget()

  /** Makes one attempt, with the first reachable server. */
  async function send(
    request: HttpRequest,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    for (let tried = 1; ; tried++) {
      const endpoint = await endpoints.next(deadline - Date.now())
      signal?.throwIfAborted()
      const timeoutMs = deadline - Date.now()
      if (timeoutMs <= 0) throw new ConnectError('the operation timed out', Code.DeadlineExceeded)
      request.headers['connect-timeout-ms'] = String(timeoutMs)
      try {
        const response = await exchange(endpoint.pool, request, timeoutMs, signal)
        endpoint.wake()
        if (response.headers['connection'] === 'close') endpoint.leave()
        return response
      } catch (error) {
        if (!(error instanceof NotSent)) throw error
        endpoint.rest()
        if (tried >= endpoints.size) throw error
      }
    }
  }

  const transport: RpcTransport = {
    unary: async (method, signal, timeoutMs, header, input) => {
      signal?.throwIfAborted()
      const body = toBinary(method.input, create(method.input, input))
      const request = { path: methodPath(method), headers: requestHeaders(header), body }
      const deadline =
        Date.now() + Math.min(Math.ceil(timeoutMs ?? DEFAULT_TIMEOUT_MS), MAX_TIMER_MS)
      for (let attempt = 1; ; attempt++) {
        try {
          const response = readResponse(method, await send(request, deadline, signal))
          budget.succeeded()
          return response
        } catch (cause) {
          const error = withCalledService(cause, method)
          if (ConnectError.from(error).code !== Code.Unavailable || !budget.failed()) throw error
          const { maxAttempts, firstBackoffMs } = RETRY_POLICY
          const pauseMs = backoffMs(attempt - 1, { firstMs: firstBackoffMs, maxMs: Infinity })
          const isInTime = Date.now() + pauseMs < deadline
          if (method.idempotency === 0 || attempt === maxAttempts || !isInTime || signal?.aborted)
            throw error
          await sleepOrAbort(pauseMs, signal)
        }
      }
    },

    stream() {
      return Promise.reject(
        new ConnectError('streams are supported over gRPC only', Code.Unimplemented),
      )
    },

    [Symbol.dispose]: () => endpoints[Symbol.dispose](),
  }
  return isTracing() ? withClientSpans(transport, 'connectrpc') : transport
}

function requestHeaders(given: CallHeaders | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/proto',
    'connect-protocol-version': '1',
  }
  if (given === undefined) return headers
  return Object.assign(
    headers,
    isPlainRecord(given) ? given : Object.fromEntries(new Headers(given)),
  )
}

function readResponse<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethod & { readonly input: Input; readonly output: Output },
  { status, headers, body }: HttpResponse,
): UnaryResponse<Input, Output> {
  const isMessage = headers['content-type'] === 'application/proto'
  if (status !== 200 || !isMessage) {
    const fallback = new ConnectError(
      `the server responded with HTTP status ${status}`,
      codeFromHttpStatus(status),
    )
    throw errorFromJsonBytes(body, undefined, fallback)
  }
  return {
    stream: false,
    service: method.parent,
    method: method as never,
    message: readMessage(method.output, body),
    // Rarely used.
    get header() {
      return trailerDemux(toHeaders(headers))[0]
    },
    get trailer() {
      return trailerDemux(toHeaders(headers))[1]
    },
  }
}

function readMessage<Output extends DescMessage>(schema: Output, body: Buffer) {
  try {
    return fromBinary(schema, body)
  } catch (error) {
    throw new ConnectError(
      'the response is not a valid response of this method',
      Code.Internal,
      undefined,
      undefined,
      error,
    )
  }
}

function toHeaders(headers: HttpResponse['headers']): Headers {
  const result = new Headers()
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) result.append(name, value)
  }
  return result
}
