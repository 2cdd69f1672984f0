import type { CallOptions } from '@connectrpc/connect'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What an ordinary RPC may take. */
const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Options for an RPC made for a request: its id and trace, the caller's own token, its idempotency key, a deadline, and
 * an end when the client goes away.
 */
export function callFor(
  request: FastifyRequest,
  reply: FastifyReply,
  timeoutMs: number | undefined = DEFAULT_TIMEOUT_MS,
): CallOptions {
  const headers: Record<string, string> = { 'x-request-id': request.id, traceparent: request.traceparent }
  if (request.caller !== undefined) headers['authorization'] = `Bearer ${request.caller.token}`
  const gone = new AbortController()
  reply.raw.once('close', () => {
    // An answer that was given closes, too.
    if (!reply.raw.writableFinished) gone.abort()
  })
  const options = { headers, signal: gone.signal, timeoutMs }
  const { idempotency } = request
  if (idempotency === undefined) return options
  headers['x-idempotency-key'] = idempotency.key
  headers['x-idempotency-fingerprint'] = idempotency.fingerprint
  return {
    ...options,
    onTrailer(trailer) {
      if (trailer.get('x-idempotency-replayed') === 'true') reply.header('idempotency-replayed', 'true')
    },
  }
}

/** As callFor, for an answer of unknown length: it has no deadline of its own. */
export function streamFor(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const { headers, signal } = callFor(request, reply)
  return { ...(headers && { headers }), ...(signal && { signal }) }
}
