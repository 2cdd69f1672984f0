import type { ServerResponse } from 'node:http'

import { Code, ConnectError } from '@connectrpc/connect'

declare module 'fastify' {
  interface FastifyInstance {
    /** The RPCs that are running for requests. */
    readonly openCalls: OpenCalls
  }
}

/** The RPCs that are running for requests, which end in two steps when the gateway stops. */
export class OpenCalls {
  readonly #open = new Set<AbortController>()
  readonly #stopping = new AbortController()
  #reason: Error | undefined

  /** Fires when the gateway begins to stop, with the error for callers. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

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

  /** Ends waits and endless streams, including those that start later. */
  stop(): void {
    this.#stopping.abort(new ConnectError('the gateway is stopping', Code.Unavailable))
  }

  /** Aborts all calls, including those that start later, with an error for their callers. */
  endAll(reason: Error): void {
    this.#reason = reason
    for (const call of this.#open) call.abort(reason)
  }
}
