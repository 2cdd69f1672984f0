import { createContextKey, type HandlerContext } from '@connectrpc/connect'

import type { Caller, UserCaller } from '../../auth/caller.ts'
import { PermissionDenied } from '../../errors.ts'
import type { TraceContext } from '../../telemetry/trace-context.ts'

/** Who called; undefined for an anonymous call. Set by the policies. */
export const callerKey = createContextKey<Caller | undefined>(undefined, { description: 'caller' })
/** Id of the request, made by the first service that saw it. Set by the policies. */
export const requestIdKey = createContextKey('', { description: 'request id' })
/** The call's position in its trace. Set by the policies. */
export const traceContextKey = createContextKey<TraceContext>(
  { traceparent: '', tracestate: '' },
  { description: 'trace context' },
)

/** The calling user; throws PermissionDenied when the call was made by nobody or by a service. */
export function requireUser(context: Pick<HandlerContext, 'values'>): UserCaller {
  const caller = context.values.get(callerKey)
  if (caller?.kind !== 'user')
    throw new PermissionDenied('user_required', 'only a user may do this')
  return caller
}

/** The calling user, or undefined for an anonymous call. */
export function optionalUser(context: Pick<HandlerContext, 'values'>): UserCaller | undefined {
  const caller = context.values.get(callerKey)
  return caller?.kind === 'user' ? caller : undefined
}

/** What ties together all that one request causes: for events and for calls to other services. */
export interface RequestOrigin {
  readonly requestId: string
  readonly traceparent: string
  /** For calls only: events don't carry it, which outlive what it describes. */
  readonly tracestate?: string
}

/** The origin of the present call. */
export function requestOrigin(context: Pick<HandlerContext, 'values'>): RequestOrigin {
  return {
    requestId: context.values.get(requestIdKey),
    ...context.values.get(traceContextKey),
  }
}
