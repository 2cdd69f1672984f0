import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'

import { measureRpc } from '../telemetry/measures.ts'
import { codeName } from './code-name.ts'
import { toConnectError } from './error-mapping.ts'
import { headersFromMetadata } from './grpc-metadata.ts'
import { statusOf } from './grpc-status.ts'

/** Decides by its headers whether a call's message is read at all; throws when it is not to be. */
export type AdmitCall = (headers: Headers) => Promise<unknown>

/** Asks `admit` before anything of a call's message is read: who may not call gets nobody's memory. */
export function admitBefore(admit: AdmitCall): ServerInterceptor {
  return (method, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const startedAt = performance.now()
            admit(headersFromMetadata(metadata)).then(
              () => pass(metadata),
              (error: unknown) => {
                const refusal = toConnectError(error)
                measureRpc(method.path.slice(1), codeName(refusal.code), (performance.now() - startedAt) / 1000)
                call.sendStatus(statusOf(refusal))
              },
            )
          },
        })
      },
    })
}
