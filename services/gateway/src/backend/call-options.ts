import type { CallOptions } from '@connectrpc/connect'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What an ordinary RPC may take. */
const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Options for an RPC made for a request: its id and trace, the caller's own token, its idempotency
 * key, a deadline, and an end when the client goes away or the gateway stops.
 */
export function callFor(
  request: FastifyRequest,
  reply: FastifyReply,
  timeoutMs: number | undefined = DEFAULT_TIMEOUT_MS,
): CallOptions {
  const headers = headersFor(request)
  // An answer that was given closes, too.
  const signal = request.server.openCalls.signalFor(reply.raw, () => !reply.raw.writableFinished)
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
 * As callFor, for an answer of unknown length: it has no deadline of its own, so it never outlives
 * the answer, however that ended.
 */
export function streamFor(request: FastifyRequest, reply: FastifyReply): CallOptions {
  return {
    headers: headersFor(request),
    signal: request.server.openCalls.signalFor(reply.raw, () => true),
  }
}

function headersFor({ id, traceparent, caller }: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': id, traceparent }
  if (caller !== undefined) headers['authorization'] = `Bearer ${caller.token}`
  return headers
}
