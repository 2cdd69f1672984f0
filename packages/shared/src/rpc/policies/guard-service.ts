import type { DescMethod, DescService } from '@bufbuild/protobuf'
import {
  Code,
  createServiceImplSpec,
  type ConnectError,
  type HandlerContext,
  type ServiceImpl,
} from '@connectrpc/connect'

import { bearerToken } from '../../auth/bearer-token.ts'
import type { TokenVerifier } from '../../auth/token-verifier.ts'
import { PermissionDenied, Unauthenticated } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { plainLines, plainText, type LineWriter } from '../../plain-lines.ts'
import { measureRpc } from '../../telemetry/measures.ts'
import { openSpan } from '../../telemetry/spans.ts'
import { continueTrace, traceIdOf } from '../../telemetry/trace-context.ts'
import type { Access, AccessRules } from './access.ts'
import { callerFacts } from './caller-facts.ts'
import { callerKey, requestIdKey, traceContextKey } from './call-context.ts'
import { codeName } from './code-name.ts'
import { toConnectError } from './error-mapping.ts'
import { requestIdFrom } from './request-id.ts'

/** The dependencies of the policies. */
export interface PolicyDependencies {
  readonly logger: Logger
  readonly tokenVerifier: TokenVerifier
}

/** A service whose handlers are wrapped in the policies, to be served over any protocol. */
export interface GuardedService {
  readonly service: DescService
  readonly implementation: Partial<ServiceImpl<DescService>>
}

interface CallDependencies extends PolicyDependencies {
  /** Prepares the log line for a method's calls that end with a code. */
  readonly lineOf: (method: string, code: string) => LineWriter
}

type UnaryHandler = (request: unknown, context: HandlerContext) => Promise<object>
type StreamHandler = (request: unknown, context: HandlerContext) => AsyncIterable<object>

/**
 * Wraps each handler of a service, unary or server-streaming, in the policies. From the outside in:
 * one log line per call with request id and trace context, error mapping, and authentication
 * according to `access`.
 */
export function guardService<Service extends DescService>(
  service: Service,
  implementation: ServiceImpl<Service>,
  access: AccessRules<Service>,
  dependencies: PolicyDependencies,
): GuardedService {
  const rules = new Map<string, Access>(Object.entries(access))
  const guarded: Record<string, UnaryHandler | StreamHandler> = {}
  const call = { ...dependencies, lineOf: rpcLines(dependencies.logger) }
  for (const [name, { kind, impl, method }] of Object.entries(
    createServiceImplSpec(service, implementation).methods,
  )) {
    const rule = rules.get(name) ?? 'service'
    if (kind === 'unary') guarded[name] = guardUnary(method, impl as UnaryHandler, rule, call)
    else if (kind === 'server_streaming')
      guarded[name] = guardStream(method, impl as StreamHandler, rule, call)
    else throw new Error(`${service.typeName}.${name}: client streams are not supported`)
  }
  return { service, implementation: guarded as unknown as Partial<ServiceImpl<DescService>> }
}

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

function guardUnary(
  method: DescMethod,
  handler: UnaryHandler,
  access: Access,
  dependencies: CallDependencies,
): UnaryHandler {
  return async (request, context) => {
    const call = openCall(method, context, dependencies)
    try {
      await authenticate(context, access, dependencies.tokenVerifier)
      const response = await handler(request, context)
      call.succeeded()
      return response
    } catch (error) {
      throw call.failed(error)
    }
  }
}

function guardStream(
  method: DescMethod,
  handler: StreamHandler,
  access: Access,
  dependencies: CallDependencies,
): StreamHandler {
  // A stream's errors are thrown while it is read, so the whole iteration is in the try block.
  return async function* (request, context) {
    const call = openCall(method, context, dependencies)
    try {
      await authenticate(context, access, dependencies.tokenVerifier)
      yield* handler(request, context)
      call.succeeded()
    } catch (error) {
      throw call.failed(error)
    } finally {
      call.abandoned()
    }
  }
}

/**
 * Sets the call's context values and returns the functions that end it. Only the first call of any
 * of them has an effect.
 */
function openCall(
  method: DescMethod,
  context: HandlerContext,
  { logger, lineOf }: CallDependencies,
) {
  const startedAt = performance.now()
  const requestId = requestIdFrom(context.requestHeader.get('x-request-id'))
  const methodName = `${method.parent.typeName}/${method.name}`
  const parent = {
    traceparent: context.requestHeader.get('traceparent'),
    tracestate: context.requestHeader.get('tracestate'),
  }
  const span = openSpan({ kind: 'server', name: methodName, parent })
  const traceContext = span ?? continueTrace(parent)
  context.values.set(requestIdKey, requestId)
  context.values.set(traceContextKey, traceContext)
  let isOpen = true

  function close(code: string, error?: ConnectError): void {
    if (!isOpen) return
    isOpen = false
    const durationMs = performance.now() - startedAt
    measureRpc(methodName, code, durationMs / 1000)
    span?.end({ 'rpc.response.status_code': code, 'slipway.request_id': requestId }, error && code)
    const caller = context.values.get(callerKey)
    const line = {
      durationMs: Math.round(durationMs * 10) / 10,
      requestId,
      traceId: traceIdOf(traceContext.traceparent),
    }
    if (error?.code === Code.Internal || error?.code === Code.Unknown)
      logger.error(
        {
          method: methodName,
          code,
          ...line,
          ...callerFacts(caller, asIs),
          err: error.cause ?? error,
        },
        'rpc',
      )
    else if (error?.code === Code.Unavailable)
      logger.warn(
        {
          method: methodName,
          code,
          ...line,
          ...callerFacts(caller, asIs),
          reason: describe(error.cause),
        },
        'rpc',
      )
    else lineOf(methodName, code)({ ...line, ...callerFacts(caller, plainText) })
  }

  return {
    succeeded: () => close('ok'),
    abandoned: () => close('canceled'),
    failed: (error: unknown): ConnectError => {
      const connectError =
        isAbort(error) && context.signal.aborted
          ? toConnectError(context.signal.reason)
          : toConnectError(error)
      close(codeName(connectError.code), connectError)
      return connectError
    },
  }
}

async function authenticate(
  context: HandlerContext,
  access: Access,
  verifier: TokenVerifier,
): Promise<void> {
  if (access === 'public') return
  const token = bearerToken(context.requestHeader.get('authorization'))
  if (access === 'optional') {
    const caller =
      token === undefined ? undefined : await verifier.verify(token).catch(noCallerIfInvalid)
    context.values.set(callerKey, caller)
    return
  }
  if (token === undefined)
    throw new Unauthenticated('token_required', 'an access token is required')
  const caller = await verifier.verify(token)
  // Set before the check, so that the log line names rejected callers too.
  context.values.set(callerKey, caller)
  if (caller.kind !== access) {
    throw new PermissionDenied(
      'wrong_caller',
      access === 'service'
        ? 'this call requires the access token of a service'
        : 'this call requires the access token of a user',
    )
  }
}

/** Ignores an invalid token. One that can't be verified now may be valid, so that is an error. */
function noCallerIfInvalid(error: unknown): undefined {
  if (error instanceof Unauthenticated) return undefined
  throw error
}

const asIs = (text: string): string => text

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}
