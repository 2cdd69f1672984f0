import type { CallOptions } from '@connectrpc/connect'
import { traceHeaders } from '@slipway/shared/telemetry'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Deadline of an ordinary RPC. */
const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Options of an RPC for a request: the request's id, trace context, access token and idempotency
 * key, a deadline, and a signal that aborts when the gateway stops. It also aborts when the client
 * disconnects, unless the request holds a turn: breaking the call off would not end the service's
 * work, and would let the client start more of it.
 */
export function callFor(
  request: FastifyRequest,
  reply: FastifyReply,
  timeoutMs: number | undefined = DEFAULT_TIMEOUT_MS,
): CallOptions & { readonly signal: AbortSignal } {
  const headers = headersFor(request)
  // `close` also fires after a complete response, when there is nothing to abort.
  const isAborted = () => !reply.raw.writableFinished && request.turn === undefined
  const signal = request.server.openCalls.signalFor(reply.raw, isAborted)
  const options = { headers, signal, timeoutMs }
  const { idempotency } = request
  if (idempotency === undefined) return options
  headers['x-idempotency-key'] = idempotency.key
  headers['x-idempotency-fingerprint'] = idempotency.fingerprint
  return {
    ...options,
    onTrailer(trailer) {
      if (trailer.get('x-idempotency-replayed') === 'true')
        reply.header('idempotency-replayed', 'true')
    },
  }
}

/**
 * Options of a streaming RPC for a request. It has no deadline; its signal aborts when the response
 * ends for any reason, or the session of the browser ends. A stream without an end ends as soon as
 * the gateway begins to stop.
 */
export function streamFor(
  request: FastifyRequest,
  reply: FastifyReply,
  { isEndless }: { readonly isEndless: boolean },
): CallOptions {
  const { openCalls } = request.server
  const signal = openCalls.signalFor(reply.raw, () => true)
  const signals = [signal, isEndless && openCalls.stopping, request.endOfSession?.(signal)]
  return {
    headers: headersFor(request),
    signal: AbortSignal.any(signals.filter((each) => each instanceof AbortSignal)),
  }
}

function headersFor({ id, traceContext, caller }: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': id, ...traceHeaders(traceContext) }
  if (caller !== undefined) headers['authorization'] = `Bearer ${caller.token}`
  return headers
}
