import type { ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyInstance {
    /** The RPCs that are running for requests. */
    readonly openCalls: OpenCalls
  }
}

/** The RPCs that are running for requests. `endAll` aborts them when the gateway stops. */
export class OpenCalls {
  readonly #open = new Set<AbortController>()
  #reason: Error | undefined

  /**
   * Returns a signal for an RPC. It aborts when the response closes and `isAborted` then returns
   * true, or if the response has already closed.
   */
  signalFor(response: ServerResponse, isAborted: () => boolean): AbortSignal {
    const call = new AbortController()
    if (this.#reason !== undefined) call.abort(this.#reason)
    else if (response.closed) call.abort()
    else {
      this.#open.add(call)
      response.once('close', () => {
        this.#open.delete(call)
        if (isAborted()) call.abort()
      })
    }
    return call.signal
  }

  /** Aborts all calls, including those that start later, with an error for their callers. */
  endAll(reason: Error): void {
    this.#reason = reason
    for (const call of this.#open) call.abort(reason)
  }
}
