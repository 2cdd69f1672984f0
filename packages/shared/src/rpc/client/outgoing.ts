import type { CallOptions, HandlerContext } from '@connectrpc/connect'

import type { ServiceTokenSource } from '../../auth/service-token.ts'
import { callerKey, requestIdKey, traceparentKey } from '../policies/call-context.ts'

/** A call made for a request takes at most what is left of that request's time, less this. */
const MARGIN_MS = 50

/**
 * Options for a call to another service that goes on for the present call: its id, trace, deadline
 * and cancellation.
 */
export function continueCall(context: HandlerContext): CallOptions {
  const headers = new Headers({
    'x-request-id': context.values.get(requestIdKey),
    traceparent: context.values.get(traceparentKey),
  })
  const remainingMs = context.timeoutMs()
  return {
    headers,
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

/** As continueCall, with the service's own token. */
export async function continueAsService(
  context: HandlerContext,
  token: ServiceTokenSource,
): Promise<CallOptions> {
  return withToken(continueCall(context), await token())
}

/** Options for a call that no request caused, with the service's own token. */
export async function callAsService(
  token: ServiceTokenSource,
  timeoutMs: number,
): Promise<CallOptions> {
  return withToken({ timeoutMs }, await token())
}

function withToken(options: CallOptions, token: string): CallOptions {
  const headers = new Headers(options.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...options, headers }
}
