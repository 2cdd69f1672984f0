import {
  Code,
  ConnectError,
  type ContextValues,
  type HandlerContext,
  type MethodImplSpec,
} from '@connectrpc/connect'

import { MAX_TIMER_MS } from '../limits.ts'
import { methodPath } from '../method-path.ts'

/** A call as received by its protocol's server. */
export interface IncomingCall {
  readonly protocolName: HandlerContext['protocolName']
  readonly requestHeader: Headers
  /** The values that the policies have set by the headers. */
  readonly values: ContextValues
  /** The call's deadline, in ms since 1970; Infinity if it has none. */
  readonly deadline: number
  /** Whether the caller cancelled the call or disconnected. */
  isCancelled(): boolean
  /** Calls `listener` when the caller cancels the call or disconnects. */
  onCancelled(listener: () => void): void
}

/**
 * The context of a handler. Its signal and response headers are created when they are first used:
 * most handlers don't use them, and creating them costs more than the rest of a small call.
 */
export class LazyHandlerContext implements HandlerContext {
  readonly method: HandlerContext['method']
  readonly service: HandlerContext['service']
  readonly protocolName: HandlerContext['protocolName']
  readonly requestMethod = 'POST'
  readonly url: string
  readonly requestHeader: Headers
  readonly values: ContextValues
  readonly timeoutMs: () => number | undefined
  readonly #call: IncomingCall
  readonly #shutdownSignal: AbortSignal
  #responseHeader: Headers | undefined
  #responseTrailer: Headers | undefined
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #onShutdown = (): void => this.#controller?.abort(this.#shutdownSignal.reason)

  constructor({ method }: MethodImplSpec, call: IncomingCall, shutdownSignal: AbortSignal) {
    this.method = method
    this.service = method.parent
    this.protocolName = call.protocolName
    this.url = methodPath(method)
    this.requestHeader = call.requestHeader
    this.values = call.values
    this.#call = call
    this.#shutdownSignal = shutdownSignal
    this.timeoutMs = () => (Number.isFinite(call.deadline) ? call.deadline - Date.now() : undefined)
  }

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers()
    return this.#responseHeader
  }

  /** The header, if a handler has set any. */
  get givenHeader(): Headers | undefined {
    return this.#responseHeader
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers()
    return this.#responseTrailer
  }

  /** The trailer, if a handler has set any. */
  get givenTrailer(): Headers | undefined {
    return this.#responseTrailer
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#follow(new AbortController())
    return this.#controller.signal
  }

  /** Ends the call: aborts its signal. */
  finish(): void {
    clearTimeout(this.#timer)
    if (this.#controller === undefined) return
    this.#shutdownSignal.removeEventListener('abort', this.#onShutdown)
    this.#controller.abort(FINISHED)
  }

  #follow(controller: AbortController): AbortController {
    const cancel = (): void =>
      controller.abort(new ConnectError('the call was cancelled', Code.Canceled))
    if (this.#call.isCancelled()) cancel()
    else this.#call.onCancelled(cancel)
    if (this.#shutdownSignal.aborted) controller.abort(this.#shutdownSignal.reason)
    else this.#shutdownSignal.addEventListener('abort', this.#onShutdown)
    const remainingMs = this.timeoutMs()
    if (remainingMs !== undefined) {
      const expire = (): void =>
        controller.abort(new ConnectError('the operation timed out', Code.DeadlineExceeded))
      if (remainingMs <= 0) expire()
      else this.#timer = setTimeout(expire, Math.min(remainingMs, MAX_TIMER_MS))
    }
    return controller
  }
}

/** One for all calls: its stack trace is never read. */
const FINISHED = new ConnectError('the call has ended', Code.Canceled)
