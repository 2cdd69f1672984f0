import type { DescMethod } from '@bufbuild/protobuf'
import { Code, createContextKey, type ConnectError, type ContextValues } from '@connectrpc/connect'

import type { Logger } from '../../logging/logger.ts'
import { plainLines, plainText, type LineWriter } from '../../logging/plain-lines.ts'
import { measureRpc } from '../../telemetry/measures.ts'
import { openSpan } from '../../telemetry/spans.ts'
import { continueTrace, traceIdOf } from '../../telemetry/trace-context.ts'
import { callerKey, requestIdKey, traceContextKey } from './call-context.ts'
import { callerFacts } from './caller-facts.ts'
import { codeName } from './code-name.ts'
import { toConnectError } from './error-mapping.ts'
import { requestIdFrom } from './request-id.ts'

/** The headers of a call, and the values that the policies and its handler share. */
export interface CallHead {
  readonly requestHeader: Headers
  readonly values: ContextValues
}

/**
 * A call from its headers to its end: its span, its metrics and its log line. Only the first call
 * of any of the functions has an effect.
 */
export interface OpenCall {
  /** The handler has returned. */
  succeeded(): void
  /** The caller has left. */
  abandoned(): void
  /** Returns the error to send. An abort becomes the reason of the call's signal. */
  failed(error: unknown, signal?: () => AbortSignal): ConnectError
}

/** The call that a server has opened before it read the message; see GuardedService. */
export const openCallKey = createContextKey<OpenCall | undefined>(undefined, {
  description: 'open call',
})

/** Opens calls: sets their context values, and starts their spans. */
export type CallOpener = (method: DescMethod, head: CallHead) => OpenCall

/** Creates the opener of calls that logs to `logger`. */
export function callOpener(logger: Logger): CallOpener {
  const lineOf = rpcLines(logger)
  return (method, { requestHeader, values }) => {
    const startedAt = performance.now()
    const requestId = requestIdFrom(requestHeader.get('x-request-id'))
    const methodName = `${method.parent.typeName}/${method.name}`
    const parent = {
      traceparent: requestHeader.get('traceparent'),
      tracestate: requestHeader.get('tracestate'),
    }
    const span = openSpan({ kind: 'server', name: methodName, parent })
    const traceContext = span ?? continueTrace(parent)
    values.set(requestIdKey, requestId)
    values.set(traceContextKey, traceContext)
    let isOpen = true

    function close(code: string, error?: ConnectError): void {
      if (!isOpen) return
      isOpen = false
      const durationMs = performance.now() - startedAt
      measureRpc(methodName, code, durationMs / 1000)
      span?.end(
        { 'rpc.response.status_code': code, 'slipway.request_id': requestId },
        error && code,
      )
      const caller = values.get(callerKey)
      const line = {
        duration_ms: Math.round(durationMs * 10) / 10,
        request_id: requestId,
        trace_id: traceIdOf(traceContext.traceparent),
      }
      const facts = { method: methodName, code, ...line }
      if (error?.code === Code.Internal || error?.code === Code.Unknown)
        logger.error({ ...facts, ...callerFacts(caller, asIs), err: error.cause ?? error }, 'rpc')
      else if (error?.code === Code.Unavailable)
        logger.warn(
          { ...facts, ...callerFacts(caller, asIs), reason: describe(error.cause) },
          'rpc',
        )
      else if (error?.code === Code.Unauthenticated)
        logger.info({ ...facts, reason: describe(error.cause) }, 'rpc')
      else lineOf(methodName, code)({ ...line, ...callerFacts(caller, plainText) })
    }

    return {
      succeeded: () => close('ok'),
      abandoned: () => close('canceled'),
      failed: (error, signal) => {
        const abort = isAbort(error) ? signal?.() : undefined
        const connectError = toConnectError(abort?.aborted ? abort.reason : error)
        close(codeName(connectError.code), connectError)
        return connectError
      },
    }
  }
}

/** Prepares the log line for a method's calls that end with a code. */
function rpcLines(logger: Logger): (method: string, code: string) => LineWriter {
  const prepare = plainLines(logger)
  const known = new Map<string, LineWriter>()
  return (method, code) => {
    const key = `${code} ${method}`
    let line = known.get(key)
    if (line === undefined) known.set(key, (line = prepare('rpc', { method, code })))
    return line
  }
}

const asIs = (text: string): string => text

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}
