import {
  Code,
  ConnectError,
  createContextValues,
  type ContextValues,
  type HandlerContext,
  type MethodImplSpec,
} from '@connectrpc/connect'
import type { ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js'

import { headersFromMetadata } from './grpc-metadata.ts'

type Call = ServerUnaryCall<object, object> | ServerWritableStream<object, object>

/**
 * What a handler knows of its gRPC call. Most handlers never look at their signal or at the headers of their answer;
 * these are made when they are first asked for, since making them would cost more than the rest of a small call.
 */
export class GrpcContext implements HandlerContext {
  readonly method: HandlerContext['method']
  readonly service: HandlerContext['service']
  readonly protocolName = 'grpc'
  readonly requestMethod = 'POST'
  readonly url: string
  readonly requestHeader: Headers
  readonly values: ContextValues = createContextValues()
  readonly timeoutMs: () => number | undefined
  readonly #call: Call
  readonly #deadline: number
  readonly #shutdownSignal: AbortSignal
  #responseHeader: Headers | undefined
  #responseTrailer: Headers | undefined
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #onShutdown = (): void => this.#controller?.abort(this.#shutdownSignal.reason)

  constructor({ method }: MethodImplSpec, call: Call, shutdownSignal: AbortSignal) {
    this.method = method
    this.service = method.parent
    this.url = `/${method.parent.typeName}/${method.name}`
    this.requestHeader = headersFromMetadata(call.metadata)
    this.#call = call
    this.#deadline = Number(call.getDeadline())
    this.#shutdownSignal = shutdownSignal
    this.timeoutMs = () => (Number.isFinite(this.#deadline) ? this.#deadline - Date.now() : undefined)
  }

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers()
    return this.#responseHeader
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers()
    return this.#responseTrailer
  }

  /** What was put into the trailer, if anything. */
  get givenTrailer(): Headers | undefined {
    return this.#responseTrailer
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#follow(new AbortController())
    return this.#controller.signal
  }

  /** The call is over: whatever still goes on for it shall stop. */
  finish(): void {
    clearTimeout(this.#timer)
    if (this.#controller === undefined) return
    this.#shutdownSignal.removeEventListener('abort', this.#onShutdown)
    this.#controller.abort(FINISHED)
  }

  #follow(controller: AbortController): AbortController {
    const cancel = (): void => controller.abort(new ConnectError('the call was cancelled', Code.Canceled))
    if (this.#call.cancelled) cancel()
    else this.#call.once('cancelled', cancel)
    if (this.#shutdownSignal.aborted) controller.abort(this.#shutdownSignal.reason)
    else this.#shutdownSignal.addEventListener('abort', this.#onShutdown)
    const remainingMs = this.timeoutMs()
    if (remainingMs !== undefined) {
      const expire = (): void => controller.abort(new ConnectError('the operation timed out', Code.DeadlineExceeded))
      if (remainingMs <= 0) expire()
      else this.#timer = setTimeout(expire, Math.min(remainingMs, MAX_TIMER_MS))
    }
    return controller
  }
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** One for all: nobody reads where it was made. */
const FINISHED = new ConnectError('the call has ended', Code.Canceled)
