import type { DescMethod } from '@bufbuild/protobuf'
import { createContextValues } from '@connectrpc/connect'
import {
  ServerInterceptingCall,
  type Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js'

import type { FairQueue, FairShare } from '../../fairness/fair-queue.ts'
import { headersFromMetadata } from '../grpc-metadata.ts'
import { methodPath } from '../method-path.ts'
import type { AdmitCaller, GuardedService } from '../policies/guard-service.ts'
import type { CallHead, OpenCall } from '../policies/open-call.ts'
import { MAX_REQUEST_BYTES } from '../limits.ts'
import { receiveRequest } from './grpc-receiving.ts'
import { statusOf } from './grpc-status.ts'
import { openReceiving } from './receiving.ts'
import { maxRequestBytes } from './request-message.ts'

/** A call whose caller may make it, before its message is read. */
export interface AdmittedCaller {
  readonly head: CallHead
  /** Undefined for a service without policies. */
  readonly call: OpenCall | undefined
}

/** Opens calls and authenticates their callers before grpc-js reads the messages. */
export class GrpcPolicies {
  readonly #methods = new Map<string, { admit: AdmitCaller; method: DescMethod }>()
  /** By the metadata of the call, which the interceptor and the handler share. */
  readonly #admitted = new WeakMap<Metadata, AdmittedCaller>()

  readonly #receiving: FairQueue

  constructor(services: readonly GuardedService[], receiving: FairQueue) {
    this.#receiving = receiving
    for (const { service, admit } of services) {
      if (admit === undefined) continue
      for (const method of service.methods) this.#methods.set(methodPath(method), { admit, method })
    }
  }

  /** Returns the call to its handler, which ends it from then on. */
  take(metadata: Metadata): AdmittedCaller {
    const admitted = this.#admitted.get(metadata)
    this.#admitted.delete(metadata)
    return admitted ?? { head: headOf(metadata), call: undefined }
  }

  /** The interceptor. A call that is not admitted ends without its message. */
  readonly intercept: ServerInterceptor = ({ path }, incoming) => {
    const known = this.#methods.get(path)
    if (known === undefined) return new ServerInterceptingCall(incoming)
    const { admit, method } = known
    let received: Metadata | undefined
    let share: FairShare | undefined
    let stopReceiving: (() => void) | undefined
    let isCancelled = false
    return new ServerInterceptingCall(incoming, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            received = metadata
            const head = headOf(metadata)
            admit(method, head).then(
              (call) => {
                if (isCancelled) return call.abandoned()
                this.#admitted.set(metadata, { head, call })
                share = this.#openShare(incoming, head)
                stopReceiving = receive(incoming, method, { head, call }, share)
                pass(metadata)
              },
              (error: unknown) => incoming.sendStatus(statusOf(error)),
            )
          },
          onReceiveMessage: (message, pass) => {
            // The messages of a stream count together until it ends.
            if (method.methodKind !== 'bidi_streaming') share?.[Symbol.dispose]()
            pass(message)
          },
          // Also called after the end of a call, which the handler has taken.
          onCancel: () => {
            isCancelled = true
            stopReceiving?.()
            share?.[Symbol.dispose]()
            if (received) this.#admitted.get(received)?.call?.abandoned()
          },
        }),
    })
  }

  #openShare(incoming: ServerInterceptingCallInterface, { values }: CallHead): FairShare {
    return openReceiving(this.#receiving, values, incoming.getConnectionInfo().remoteAddress)
  }
}

/** Takes the memory of a call's request as it arrives, until the returned function is called. */
function receive(
  incoming: ServerInterceptingCallInterface,
  { methodKind }: DescMethod,
  { head, call }: AdmittedCaller,
  share: FairShare,
): () => void {
  return receiveRequest(incoming, {
    isStream: methodKind === 'bidi_streaming',
    maxBytes: maxRequestBytes(head.values),
    maxDecompressedBytes: MAX_REQUEST_BYTES,
    take: (bytes) => share.grow(bytes),
    reject: (error) => {
      call?.failed(error)
      incoming.sendStatus(statusOf(error))
    },
  })
}

function headOf(metadata: Metadata): CallHead {
  return { requestHeader: headersFromMetadata(metadata), values: createContextValues() }
}
