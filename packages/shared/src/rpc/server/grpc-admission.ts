import { status, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'

import { measureRpc } from '../../telemetry/measures.ts'
import { codeName } from '../policies/code-name.ts'
import { toConnectError } from '../policies/error-mapping.ts'
import { headersFromMetadata } from '../grpc-metadata.ts'
import { statusOf } from './grpc-status.ts'

/** A call that was let in, and is now followed. */
export interface AdmittedCall {
  /** The message must be there by then, or the call ends. */
  readonly messageTimeoutMs: number
  /** The message has been read and decoded. */
  received(message: object): void
  /** The call has been answered or given up; called at least once. */
  ended(): void
}

/** Decides by its headers whether a call's message is read at all; throws when it is not to be. */
export type AdmitCall = (headers: Headers) => Promise<AdmittedCall>

/**
 * Asks `admit` before anything of a call's message is read: who may not call gets nobody's memory.
 */
export function admitBefore(admit: AdmitCall): ServerInterceptor {
  return (method, call) => {
    let admitted: AdmittedCall | undefined
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const end = () => {
      isOver = true
      clearTimeout(timer)
      admitted?.ended()
    }
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const startedAt = performance.now()
            admit(headersFromMetadata(metadata)).then(
              (answer) => {
                admitted = answer
                if (isOver) return end()
                timer = setTimeout(() => {
                  end()
                  call.sendStatus({
                    code: status.DEADLINE_EXCEEDED,
                    details: 'the message did not come in time',
                  })
                }, answer.messageTimeoutMs)
                pass(metadata)
              },
              (error: unknown) => {
                const refusal = toConnectError(error)
                measureRpc(
                  method.path.slice(1),
                  codeName(refusal.code),
                  (performance.now() - startedAt) / 1000,
                )
                call.sendStatus(statusOf(refusal))
              },
            )
          },
          onReceiveMessage(message, pass) {
            clearTimeout(timer)
            admitted?.received(message as object)
            pass(message)
          },
          onCancel: end,
        })
      },
      sendStatus(answer, next) {
        end()
        next(answer)
      },
    })
  }
}
