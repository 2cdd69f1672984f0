import type { CallOptions } from '@connectrpc/connect'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { PublicAnswer } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import { ReadSlots } from './read-slots.ts'
import { later, sendPublicAnswer, type Sending } from './send.ts'

/**
 * What a public read may take, and the wait for its turn as much again. It is made for all who wait
 * for it, so no single one's going ends it.
 */
const FILL_TIMEOUT_MS = 5_000
/**
 * Reads of the catalog for anonymous callers at a time: however many ask, signed-in callers find it
 * free.
 */
const MAX_FILLS = 32
const MAX_WAITING_FILLS = 1_000
/** URLs whose key is remembered, and the longest of them. */
const MAX_URLS = 10_000
const MAX_URL_LENGTH = 1_000

/** What a URL asks for. */
export interface PublicRead {
  readonly key: string
  /** Pattern of the route. */
  readonly route: string
}

/** Answers public reads from memory, and makes what isn't there by one call for all who ask. */
export class PublicAnswers {
  readonly #cache: AnswerCache
  readonly #varyAlways: string
  /** A key follows from the URL alone, so that nothing here can be out of date. */
  readonly #reads = new Map<string, PublicRead>()
  readonly #places: ReadSlots
  readonly #fillMs: number

  /** `varyAlways` names a header that every answer depends on; `fillMs` is what a read may take. */
  constructor(cache: AnswerCache, varyAlways = '', fillMs = FILL_TIMEOUT_MS) {
    this.#cache = cache
    this.#varyAlways = varyAlways
    this.#fillMs = fillMs
    this.#places = new ReadSlots({
      places: MAX_FILLS,
      maxWaiting: MAX_WAITING_FILLS,
      maxWaitMs: fillMs,
    })
  }

  /**
   * Something public may have changed: what was read before is never shown to anybody who asks from
   * now on.
   */
  drop(): void {
    this.#cache.drop()
  }

  /**
   * Answers with what is kept under `key`, else with the JSON text that `read` gives. The key says
   * everything that the answer depends on; `vary` names the headers beside the encoding.
   */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    read: (options: CallOptions) => Promise<string>,
    vary = '',
  ): Sending {
    const known = this.#cache.find(key)
    if (known !== undefined) {
      this.#remember(request, key)
      return sendPublicAnswer(request, reply, known)
    }
    const options = {
      headers: { 'x-request-id': request.id, traceparent: request.traceparent },
      timeoutMs: this.#fillMs,
    }
    const headers = [vary, this.#varyAlways].filter((name) => name !== '').join(', ')
    const made = this.#cache.load(key, () =>
      this.#places.run(async () => new PublicAnswer(await read(options), headers)),
    )
    return later(reply, async () => {
      await sendPublicAnswer(request, reply, await made)
    })
  }

  /** What a URL was found to ask for. */
  readAt(url: string): PublicRead | undefined {
    return this.#reads.get(url)
  }

  /** The answer to a read when it is at hand. */
  find({ key }: PublicRead): PublicAnswer | undefined {
    return this.#cache.find(key)
  }

  #remember({ originalUrl, routeOptions }: FastifyRequest, key: string): void {
    if (originalUrl.length > MAX_URL_LENGTH || this.#reads.has(originalUrl)) return
    if (this.#reads.size >= MAX_URLS) this.#reads.clear()
    this.#reads.set(originalUrl, { key, route: routeOptions.url ?? 'unknown' })
  }
}
