import { Code, ConnectError } from '@connectrpc/connect'
import { errors, type Dispatcher } from 'undici'

import { MAX_RESPONSE_BYTES } from '../limits.ts'
import { withTlsHint } from './tls-hint.ts'

export interface HttpRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** The server was unreachable, so it has not received the request. */
export class NotSent extends ConnectError {
  constructor(cause: Error) {
    const message = withTlsHint(cause.message)
    super(`the server is unreachable: ${message}`, Code.Unavailable, undefined, undefined, cause)
  }

  /** The inherited one accepts every ConnectError, and a call that was sent would be repeated. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(NotSent, value)
  }
}

/**
 * Posts a request and reads the whole response. Rejects with a ConnectError: `deadline_exceeded`
 * after `timeoutMs`, `canceled` when `signal` is aborted, NotSent, or `unavailable` when the
 * connection breaks before the end of the response.
 */
export async function exchange(
  dispatcher: Dispatcher,
  { path, headers, body }: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  return await new Promise((resolve, reject) => {
    const handler = new ResponseReader(resolve, reject, timeoutMs, signal)
    dispatcher.dispatch({ method: 'POST', path, headers, body }, handler)
  })
}

class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: ConnectError) => void
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: HttpResponse['headers'] = {}
  readonly #chunks: Buffer[] = []
  #size = 0
  #failure: ConnectError | undefined

  constructor(
    resolve: (response: HttpResponse) => void,
    reject: (error: ConnectError) => void,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    signal?.addEventListener('abort', this.#cancel, { once: true })
    this.#timer = setTimeout(this.#expire, timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: HttpResponse['headers'],
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= MAX_RESPONSE_BYTES) this.#chunks.push(chunk)
    else
      this.#fail(
        new ConnectError(
          `the message is larger than ${MAX_RESPONSE_BYTES} bytes`,
          Code.ResourceExhausted,
        ),
      )
  }

  onResponseEnd(): void {
    this.#settle()
    const [first] = this.#chunks
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle()
    if (this.#failure) this.#reject(this.#failure)
    else if (this.#controller === undefined) this.#reject(new NotSent(error))
    else this.#reject(brokenConnection(error))
  }

  readonly #cancel = (): void => this.#fail(ConnectError.from(this.#signal?.reason, Code.Canceled))

  readonly #expire = (): void =>
    this.#fail(new ConnectError('the operation timed out', Code.DeadlineExceeded))

  /** Rejects now; a request that has not started yet is aborted when it starts. */
  #fail(failure: ConnectError): void {
    if (this.#failure) return
    this.#settle()
    this.#failure = failure
    this.#reject(failure)
    this.#controller?.abort(failure)
  }

  #settle(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#cancel)
  }
}

function brokenConnection(error: Error): ConnectError {
  const neverAnswered = error instanceof errors.SocketError && error.socket?.bytesRead === 0
  const details = neverAnswered ? withTlsHint(error.message) : error.message
  const message = `the connection broke: ${details}`
  return new ConnectError(message, Code.Unavailable, undefined, undefined, error)
}
