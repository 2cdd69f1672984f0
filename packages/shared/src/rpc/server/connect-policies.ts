import type { IncomingMessage } from 'node:http'

import type { DescMethod, DescService } from '@bufbuild/protobuf'
import {
  ConnectError,
  createContextValues,
  type ContextValues,
  type HandlerContext,
} from '@connectrpc/connect'

import { InvalidInput } from '../../errors.ts'
import type { FairQueue } from '../../fairness/fair-queue.ts'
import { methodPath } from '../method-path.ts'
import { toConnectError } from '../policies/error-mapping.ts'
import type { AdmitCaller, GuardedService } from '../policies/guard-service.ts'
import { boundedBody } from './bounded-body.ts'
import { openReceiving } from './receiving.ts'
import { maxRequestBytes } from './request-message.ts'

/** Applies the policies to the requests that Connect's own handlers serve. */
export class ConnectPolicies {
  readonly #admits = new Map<DescService, AdmitCaller>()
  readonly #methods = new Map<string, DescMethod>()
  readonly #values = new WeakMap<IncomingMessage, ContextValues>()

  readonly #receiving: FairQueue

  constructor(services: readonly GuardedService[], receiving: FairQueue) {
    this.#receiving = receiving
    for (const { service, admit } of services) {
      if (admit) this.#admits.set(service, admit)
      for (const method of service.methods) this.#methods.set(methodPath(method), method)
    }
  }

  /** The context values of a request, the same each time. */
  valuesOf(request: IncomingMessage): ContextValues {
    let values = this.#values.get(request)
    if (values === undefined) this.#values.set(request, (values = createContextValues()))
    return values
  }

  /** The body for the handler: checked before it is decoded. Undefined for an unknown method. */
  bodyOf(request: IncomingMessage): AsyncIterable<Uint8Array> | undefined {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const method = this.#methods.get(path)
    const values = this.valuesOf(request)
    const receive = () => ({
      maxBytes: maxRequestBytes(values),
      share: openReceiving(this.#receiving, values, request.socket.remoteAddress),
    })
    return method && boundedBody(request, method, receive)
  }

  /** Opens the call and authenticates its caller before the body is read. */
  readonly admit = async (context: HandlerContext): Promise<void> => {
    const { method, service, signal } = context
    const call = await this.#admits.get(service)?.(method, context)
    if (call === undefined) return
    // The handler ends the call, unless the message is invalid.
    signal.addEventListener('abort', () => {
      if (signal.reason instanceof ConnectError) call.failed(signal.reason)
      else call.abandoned()
    })
    if (new URL(context.url).searchParams.has('compression')) {
      throw toConnectError(
        new InvalidInput('invalid_argument', 'GET requests must not be compressed; use POST'),
      )
    }
  }
}
