import type { CallOptions, HandlerContext } from '@connectrpc/connect'

import type { ServiceTokenSource } from '../../auth/service-token.ts'
import { Unavailable } from '../../errors.ts'
import { traceHeaders } from '../../telemetry/trace-context.ts'
import { orAbort } from '../../waiting.ts'
import { MAX_TIMER_MS } from '../limits.ts'
import { callerKey, requestOrigin, type RequestOrigin } from '../policies/call-context.ts'

/** A call made for a request takes at most what is left of that request's time, less this. */
const MARGIN_MS = 50

/**
 * Options for a call to another service that goes on for the present call: its id, trace, deadline
 * and cancellation.
 */
function continueCall(context: HandlerContext): CallOptions {
  const remainingMs = context.timeoutMs()
  return {
    headers: originHeaders(requestOrigin(context)),
    signal: context.signal,
    ...(remainingMs === undefined ? {} : { timeoutMs: Math.max(1, remainingMs - MARGIN_MS) }),
  }
}

/** As continueCall, on behalf of the calling user: their own token goes along. */
export function continueAsUser(context: HandlerContext): CallOptions {
  const options = continueCall(context)
  const caller = context.values.get(callerKey)
  return caller?.kind === 'user' ? withToken(options, caller.token) : options
}

/**
 * Options for a call with the service's own token and a deadline of its own, which no request's end
 * cancels. `origin` is the request that caused it, if one did.
 */
export async function callAsService(
  token: ServiceTokenSource,
  timeoutMs: number,
  origin?: RequestOrigin,
): Promise<CallOptions> {
  const headers = origin === undefined ? {} : { headers: originHeaders(origin) }
  return withToken({ timeoutMs, ...headers }, await token())
}

/**
 * Waits for a result that several requests share, as long as the present call may wait for another
 * service. Unavailable `service_unavailable` when that is over first.
 */
export async function awaitShared<Result>(
  context: HandlerContext,
  result: Promise<Result>,
): Promise<Result> {
  const remainingMs = context.timeoutMs()
  if (remainingMs === undefined) return await orAbort(result, context.signal)
  const timeout = AbortSignal.timeout(Math.min(Math.max(1, remainingMs - MARGIN_MS), MAX_TIMER_MS))
  try {
    return await orAbort(result, AbortSignal.any([context.signal, timeout]))
  } catch (error) {
    if (error !== timeout.reason) throw error
    throw new Unavailable('service_unavailable', 'a service can not be reached now', {
      cause: error,
    })
  }
}

function originHeaders({ requestId, traceparent, tracestate = '' }: RequestOrigin): Headers {
  return new Headers({ 'x-request-id': requestId, ...traceHeaders({ traceparent, tracestate }) })
}

function withToken(options: CallOptions, token: string): CallOptions {
  const headers = new Headers(options.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...options, headers }
}
