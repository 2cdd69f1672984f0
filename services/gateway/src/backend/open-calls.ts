import type { ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyInstance {
    /** The RPCs that run for requests. */
    readonly openCalls: OpenCalls
  }
}

/**
 * The RPCs that run for requests: each ends with its answer, and all of them when the gateway can
 * wait no longer.
 */
export class OpenCalls {
  readonly #open = new Set<AbortController>()
  #reason: Error | undefined

  /**
   * A signal that aborts when the answer has closed, if `counts` says so then; also when it had
   * closed before.
   */
  signalFor(response: ServerResponse, counts: () => boolean): AbortSignal {
    const call = new AbortController()
    if (this.#reason !== undefined) call.abort(this.#reason)
    else if (response.closed) call.abort()
    else {
      this.#open.add(call)
      response.once('close', () => {
        this.#open.delete(call)
        if (counts()) call.abort()
      })
    }
    return call.signal
  }

  /** Ends all calls, and those that still come, with what to tell their callers. */
  endAll(reason: Error): void {
    this.#reason = reason
    for (const call of this.#open) call.abort(reason)
  }
}
