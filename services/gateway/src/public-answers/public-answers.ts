import type { CallOptions } from '@connectrpc/connect'
import { traceHeaders } from '@slipway/shared/telemetry'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { sendLater, type Sending } from '../http/send-later.ts'
import type { AnswerCache } from './answer-cache.ts'
import { PublicAnswer } from './answer.ts'
import { ReadSlots } from './read-slots.ts'
import { sendPublicAnswer } from './send.ts'

/** Deadline of a read, and how long a read waits for a slot. */
const READ_TIMEOUT_MS = 5_000
/**
 * Maximum number of concurrent reads for anonymous callers, so that they can't use up the catalog's
 * capacity.
 */
const MAX_READS = 32
const MAX_WAITING_READS = 1_000
/** Number of URLs whose key is cached, and the maximum length of such a URL. */
const MAX_URLS = 10_000
const MAX_URL_LENGTH = 1_000

/** Settings of public answers. */
export interface PublicAnswersOptions {
  readonly cache: AnswerCache
  /** Request headers that every answer depends on, besides `Accept-Encoding`. */
  readonly varyOn?: readonly string[]
  /** Deadline of a read, and how long a read waits for a slot; 5 s by default. */
  readonly readTimeoutMs?: number | undefined
}

/** The public read that a URL is for. */
export interface PublicRead {
  readonly key: string
  /** Pattern of the route. */
  readonly route: string
}

/** How to serve a public read. */
export interface PublicReadOptions {
  /** Contains everything that the answer depends on. */
  readonly key: string
  /** Request headers that the answer depends on, besides `Accept-Encoding`. */
  readonly varyOn?: readonly string[]
  /** Reads the answer as JSON text. */
  readonly read: (options: CallOptions) => Promise<string>
}

/** Answers public reads from memory. Requests that miss at the same time share one RPC. */
export class PublicAnswers {
  readonly #cache: AnswerCache
  readonly #varyOn: readonly string[]
  readonly #readTimeoutMs: number
  readonly #slots: ReadSlots
  /** By URL. The key depends on nothing but the URL, so an entry never becomes stale. */
  readonly #reads = new Map<string, PublicRead>()

  constructor({ cache, varyOn = [], readTimeoutMs = READ_TIMEOUT_MS }: PublicAnswersOptions) {
    this.#cache = cache
    this.#varyOn = varyOn
    this.#readTimeoutMs = readTimeoutMs
    this.#slots = new ReadSlots({
      slots: MAX_READS,
      maxWaiting: MAX_WAITING_READS,
      maxWaitMs: readTimeoutMs,
    })
  }

  /** Removes all answers, so that later requests never get an answer that was read before. */
  drop(): void {
    this.#cache.drop()
  }

  /** Responds from memory, or reads the answer and caches it. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, varyOn = [], read }: PublicReadOptions,
  ): Sending {
    const known = this.#cache.find(key)
    if (known !== undefined) {
      this.#remember(request, key)
      return sendPublicAnswer(request, reply, known)
    }
    // No abort signal: all waiting requests share the read, so it continues when one of them
    // disconnects.
    const options = {
      headers: { 'x-request-id': request.id, ...traceHeaders(request.traceContext) },
      timeoutMs: this.#readTimeoutMs,
    }
    const made = this.#cache.load(key, () =>
      this.#slots.run(
        async () => new PublicAnswer(await read(options), [...varyOn, ...this.#varyOn]),
      ),
    )
    return sendLater(reply, async () => {
      await sendPublicAnswer(request, reply, await made)
    })
  }

  /** The public read for a URL, if one was served from memory before. */
  readAt(url: string): PublicRead | undefined {
    return this.#reads.get(url)
  }

  /** The answer to a read, if it is in memory. */
  find({ key }: PublicRead): PublicAnswer | undefined {
    return this.#cache.find(key)
  }

  #remember({ originalUrl, routeOptions }: FastifyRequest, key: string): void {
    if (originalUrl.length > MAX_URL_LENGTH || this.#reads.has(originalUrl)) return
    if (this.#reads.size >= MAX_URLS) this.#reads.clear()
    this.#reads.set(originalUrl, { key, route: routeOptions.url ?? 'unknown' })
  }
}
