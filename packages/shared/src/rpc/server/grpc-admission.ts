import { status, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'

import { measureRpc } from '../../telemetry/measures.ts'
import { codeName } from '../policies/code-name.ts'
import { toConnectError } from '../policies/error-mapping.ts'
import { headersFromMetadata } from '../grpc-metadata.ts'
import { receiveRequest } from './grpc-receiving.ts'
import { statusOf } from './grpc-status.ts'

/** An admitted call. Its methods are called as the call progresses. */
export interface AdmittedCall {
  /** The call fails if its message has not arrived after this time. */
  readonly messageTimeoutMs: number
  /**
   * Takes the memory for bytes of the message that have arrived, or for decompressing it. Throws if
   * there is none.
   */
  receiving(bytes: number): void
  /** The message has been read and decoded. */
  received(message: object): void
  /** The call has ended or was cancelled; called at least once. */
  ended(): void
}

/**
 * Decides by a call's headers, and its caller's address, whether its message is read; throws if it
 * must not be.
 */
export type AdmitCall = (headers: Headers, address: string) => Promise<AdmittedCall>

/**
 * Calls `admit` before a call's message is read: unauthorized calls are rejected before their
 * message is buffered.
 */
export function admitBefore(admit: AdmitCall, maxMessageBytes: number): ServerInterceptor {
  return (method, call) => {
    let admitted: AdmittedCall | undefined
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    let stopReceiving: (() => void) | undefined
    const end = () => {
      isOver = true
      clearTimeout(timer)
      stopReceiving?.()
      admitted?.ended()
    }
    const startedAt = performance.now()
    const refuse = (error: unknown) => {
      const refusal = toConnectError(error)
      const seconds = (performance.now() - startedAt) / 1000
      measureRpc(method.path.slice(1), codeName(refusal.code), seconds)
      call.sendStatus(statusOf(refusal))
    }
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const { remoteAddress = '' } = call.getConnectionInfo()
            admit(headersFromMetadata(metadata), remoteAddress).then((answer) => {
              admitted = answer
              if (isOver) return end()
              timer = setTimeout(() => {
                end()
                call.sendStatus({
                  code: status.DEADLINE_EXCEEDED,
                  details: 'the message did not arrive in time',
                })
              }, answer.messageTimeoutMs)
              stopReceiving = receiveRequest(call, {
                isStream: false,
                maxBytes: maxMessageBytes,
                maxDecompressedBytes: maxMessageBytes,
                take: (bytes) => answer.receiving(bytes),
                reject: (error) => {
                  end()
                  refuse(error)
                },
              })
              pass(metadata)
            }, refuse)
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
