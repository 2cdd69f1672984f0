import type { CallOptions, HandlerContext } from '@connectrpc/connect'

import type { ServiceTokenSource } from '../../auth/service-token.ts'
import { Unavailable } from '../../errors.ts'
import { traceHeaders } from '../../telemetry/trace-context.ts'
import { orAbort } from '../../waiting.ts'
import { unavailableMessage } from '../called-service.ts'
import { MAX_TIMER_MS } from '../limits.ts'
import { callerKey, requestOrigin, type RequestOrigin } from '../policies/call-context.ts'

/** A call made for a request gets the request's remaining time minus this margin. */
const MARGIN_MS = 50

/** Options for a call on behalf of the current call: its id, trace, deadline and cancellation. */
function continueCall(context: HandlerContext): CallOptions {
  const remainingMs = context.timeoutMs()
  return {
    headers: originHeaders(requestOrigin(context)),
    signal: context.signal,
    ...(remainingMs === undefined ? {} : { timeoutMs: Math.max(1, remainingMs - MARGIN_MS) }),
  }
}

/** Options for a call on behalf of the calling user, with their own token. */
export function continueAsUser(context: HandlerContext): CallOptions {
  const options = continueCall(context)
  const caller = context.values.get(callerKey)
  return caller?.kind === 'user' ? withToken(options, caller.token) : options
}

/**
 * Options for a call with the service's own token and its own deadline, which isn't cancelled when
 * a request ends. `origin` is the request that caused it, if there is one.
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
 * Waits for a result of a service that several requests share. Throws Unavailable
 * `service_unavailable` when the current call runs out of time first.
 */
export async function awaitShared<Result>(
  context: HandlerContext,
  result: Promise<Result>,
  service: string,
): Promise<Result> {
  const remainingMs = context.timeoutMs()
  if (remainingMs === undefined) return await orAbort(result, context.signal)
  const timeout = AbortSignal.timeout(Math.min(Math.max(1, remainingMs - MARGIN_MS), MAX_TIMER_MS))
  try {
    return await orAbort(result, AbortSignal.any([context.signal, timeout]))
  } catch (error) {
    if (error !== timeout.reason) throw error
    throw new Unavailable('service_unavailable', unavailableMessage(service), { cause: error })
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
