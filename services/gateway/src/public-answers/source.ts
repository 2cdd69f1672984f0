import type { CallOptions } from '@connectrpc/connect'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { HttpProblem } from '../problem.ts'
import { PublicAnswer } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import { later, sendPublicAnswer, type Sending } from './send.ts'

/** What a public read may take. It is made for all who wait for it, so no single one's going ends it. */
const FILL_TIMEOUT_MS = 5_000
/** Reads of the catalog for anonymous callers at a time: however many ask, signed-in callers find it free. */
const MAX_FILLS = 32
const MAX_WAITING_FILLS = 1_000

/** Answers public reads from memory, and makes what isn't there by one call for all who ask. */
export class PublicAnswers {
  readonly #cache: AnswerCache
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(cache: AnswerCache) {
    this.#cache = cache
  }

  /** Something public may have changed: what was read before is never shown to anybody who asks from now on. */
  drop(): void {
    this.#cache.drop()
  }

  /**
   * Answers with what is kept under `key`, else with the JSON text that `read` gives. The key says everything that the
   * answer depends on; `vary` names the headers beside the encoding.
   */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    read: (options: CallOptions) => Promise<string>,
    vary?: string,
  ): Sending {
    const known = this.#cache.find(key)
    if (known !== undefined) return sendPublicAnswer(request, reply, known)
    const options = {
      headers: { 'x-request-id': request.id, traceparent: request.traceparent },
      timeoutMs: FILL_TIMEOUT_MS,
    }
    const made = this.#cache.load(key, async () => {
      await this.#enter()
      try {
        return new PublicAnswer(await read(options), vary)
      } finally {
        this.#leave()
      }
    })
    return later(reply, async () => {
      await sendPublicAnswer(request, reply, await made)
    })
  }

  async #enter(): Promise<void> {
    if (this.#running >= MAX_FILLS) {
      if (this.#waiting.length >= MAX_WAITING_FILLS) {
        throw new HttpProblem(503, 'overloaded', 'too many requests at once', { retryAfterMs: 1000 })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
  }

  /** Hands the place to the next who waits. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
