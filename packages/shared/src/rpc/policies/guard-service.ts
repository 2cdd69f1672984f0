import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { createServiceImplSpec, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'

import type { TokenVerifier } from '../../auth/token-verifier.ts'
import type { Logger } from '../../logging/logger.ts'
import type { Access, AccessRules } from './access.ts'
import { authenticate } from './authenticate.ts'
import { callOpener, openCallKey, type CallHead, type OpenCall } from './open-call.ts'

export interface PolicyDependencies {
  readonly logger: Logger
  readonly tokenVerifier: TokenVerifier
}

/** A service whose handlers are wrapped in the policies, to be served over any protocol. */
export interface GuardedService {
  readonly service: DescService
  readonly implementation: Partial<ServiceImpl<DescService>>
  /**
   * Opens a call and authenticates its caller. A server calls this before it reads the message;
   * otherwise the handler does it. Throws the ConnectError to send. Undefined for handlers without
   * policies.
   */
  readonly admit?: AdmitCaller
}

/** Opens a call of a method and authenticates its caller. */
export type AdmitCaller = (method: DescMethod, head: CallHead) => Promise<OpenCall>

type UnaryHandler = (request: unknown, context: HandlerContext) => Promise<object>
type StreamHandler = (request: unknown, context: HandlerContext) => AsyncIterable<object>

/**
 * Wraps each handler of a service, unary or with a stream of responses, in the policies. From the
 * outside in: one log line per call with request id and trace context, error mapping, and
 * authentication according to `access`. Throws if a method has no rule.
 */
export function guardService<Service extends DescService>(
  service: Service,
  implementation: ServiceImpl<Service>,
  access: AccessRules<Service>,
  { logger, tokenVerifier }: PolicyDependencies,
): GuardedService {
  const rules = requireRules(service, access)
  const openCall = callOpener(logger)
  const guarded: Record<string, UnaryHandler | StreamHandler> = {}

  async function admit(method: DescMethod, head: CallHead): Promise<OpenCall> {
    const call = openCall(method, head)
    head.values.set(openCallKey, call)
    try {
      const rule = rules.get(method.localName)
      if (rule === undefined) throw new Error(`${method.name} has no access rule`)
      await authenticate(head, rule, tokenVerifier)
      return call
    } catch (error) {
      throw call.failed(error)
    }
  }

  for (const [name, { kind, impl, method }] of Object.entries(
    createServiceImplSpec(service, implementation).methods,
  )) {
    const admitted = async (context: HandlerContext) =>
      context.values.get(openCallKey) ?? (await admit(method, context))
    if (kind === 'unary') guarded[name] = guardUnary(impl as UnaryHandler, admitted)
    else if (kind !== 'client_streaming')
      guarded[name] = guardStream(impl as StreamHandler, admitted)
    else throw new Error(`${service.typeName}.${name}: client streams are not supported`)
  }
  return {
    service,
    implementation: guarded as unknown as Partial<ServiceImpl<DescService>>,
    admit,
  }
}

function requireRules<Service extends DescService>(
  service: Service,
  access: AccessRules<Service>,
): ReadonlyMap<string, Access> {
  const rules = new Map<string, Access>(Object.entries(access))
  const missing = service.methods.filter(({ localName }) => !rules.has(localName))
  if (missing.length === 0) return rules
  const names = missing.map(({ name }) => name).join(', ')
  throw new Error(`${service.typeName} has methods without an access rule: ${names}`)
}

type Admitted = (context: HandlerContext) => Promise<OpenCall>

function guardUnary(handler: UnaryHandler, admitted: Admitted): UnaryHandler {
  return async (request, context) => {
    const call = await admitted(context)
    try {
      const response = await handler(request, context)
      call.succeeded()
      return response
    } catch (error) {
      throw call.failed(error, () => context.signal)
    }
  }
}

function guardStream(handler: StreamHandler, admitted: Admitted): StreamHandler {
  return async function* (request, context) {
    const call = await admitted(context)
    // A stream's errors are thrown while it is read, so the whole iteration is in the try block.
    try {
      yield* handler(request, context)
      call.succeeded()
    } catch (error) {
      throw call.failed(error, () => context.signal)
    } finally {
      call.abandoned()
    }
  }
}
