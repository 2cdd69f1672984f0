import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'undici'

import { sleepInSteps } from '../../waiting.ts'

/** Together less than 2 s: how long a server that no longer responds can delay a call. */
export const PING_MS = 400
export const PING_TIMEOUT_MS = 1_400
/** While this process is busy, it doesn't read responses: that counts as one step. */
const PING_STEPS = 7

export interface CheckedServer {
  /** Whether to check it: there are others to call, and calls wait for it, or it was silent. */
  isInDoubt(): boolean
  responded(): void
  /** It has accepted a request, or dropped its packets, and has not responded. */
  silent(): void
}

/**
 * Checks whether a server responds at all while calls wait for it, as HTTP/2 does with pings. A
 * stopped process keeps its connections, and so does one behind a broken network, so calls would
 * wait until their deadline.
 */
export class LifeCheck implements Disposable {
  readonly #client: Client
  readonly #server: CheckedServer
  #isRunning = false

  constructor(
    origin: string,
    connect: NonNullable<Client.Options['connect']>,
    server: CheckedServer,
  ) {
    // A separate connection: those of calls may all be in use.
    this.#client = new Client(origin, { connect })
    this.#server = server
  }

  /** Starts to check the server, as long as it is in doubt. */
  start(): void {
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      await sleep(PING_MS, undefined, { ref: false })
      if (this.#client.closed || !this.#server.isInDoubt()) break
      await this.#check()
    }
    this.#isRunning = false
  }

  async #check(): Promise<void> {
    const timeout = new AbortController()
    const { signal } = timeout
    const ended = new AbortController()
    sleepInSteps(PING_TIMEOUT_MS / PING_STEPS, PING_STEPS, ended.signal).then(
      () => timeout.abort(new Error('the server does not respond')),
      () => {},
    )
    try {
      // Any response will do, also "not found".
      const { body } = await this.#client.request({ method: 'HEAD', path: '/', signal })
      await body.dump()
      this.#server.responded()
    } catch {
      // A server that refuses connections has ended, or finishes its last calls.
      if (signal.aborted) this.#server.silent()
      else this.#server.responded()
    } finally {
      ended.abort()
    }
  }

  [Symbol.dispose](): void {
    this.#client.destroy().catch(() => {})
  }
}
