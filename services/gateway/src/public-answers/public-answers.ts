import type { CallOptions } from '@connectrpc/connect'
import { FairQueue } from '@slipway/shared/fair-queue'
import { traceHeaders } from '@slipway/shared/telemetry'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { networkOf } from '../http/requests/client-network.ts'
import { HttpProblem } from '../http/problem.ts'
import { sendLater, type Sending } from '../http/responses/send-later.ts'
import type { AnswerCache } from './answer-cache.ts'
import { PublicAnswer } from './answer.ts'
import { SearchTurns } from './search-turns.ts'
import { sendPublicAnswer } from './send.ts'

/** Deadline of a read, and how long a read waits for its turn. */
const READ_TIMEOUT_MS = 5_000
/**
 * Concurrent reads for anonymous callers, where each client network counts as a user. Fewer than
 * the catalog's database connections, so that signed-in users don't wait for anonymous ones.
 */
const RUNNING = { total: 8, perUser: 4, perAccount: 8 }
const WAITING = { total: 1_000, perUser: 750, perAccount: 1_000 }
/** Number of URLs whose key is cached, and the maximum length of such a URL. */
const MAX_URLS = 10_000
const MAX_URL_LENGTH = 1_000

export interface PublicAnswersOptions {
  readonly cache: AnswerCache
  /** Request headers that every answer depends on, besides `Accept-Encoding`. */
  readonly varyOn?: readonly string[]
  /** Deadline of a read, and how long a read waits for its turn; 5 s by default. */
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
  /** Whether the read may be expensive, so that it takes a turn of searches. */
  readonly isCostly?: boolean
  /** Reads the answer as JSON text. */
  readonly read: (options: CallOptions) => Promise<string>
}

/** Answers public reads from memory. Requests that miss at the same time share one RPC. */
export class PublicAnswers {
  readonly #cache: AnswerCache
  readonly #varyOn: readonly string[]
  readonly #readTimeoutMs: number
  readonly #queue = new FairQueue({
    running: RUNNING,
    waiting: WAITING,
    refusal: overloaded,
  })
  readonly #searches = new SearchTurns()
  /** The reads that wait for the turn of a network. */
  readonly #waiting = new Map<string, Promise<PublicAnswer>>()
  /** By URL. The key depends on nothing but the URL, so an entry never becomes stale. */
  readonly #reads = new Map<string, PublicRead>()

  constructor({ cache, varyOn = [], readTimeoutMs = READ_TIMEOUT_MS }: PublicAnswersOptions) {
    this.#cache = cache
    this.#varyOn = varyOn
    this.#readTimeoutMs = readTimeoutMs
  }

  /** Removes all answers, so that later requests never get an answer that was read before. */
  drop(): void {
    this.#cache.drop()
  }

  /** Responds from memory, or reads the answer and caches it. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, varyOn = [], isCostly = false, read }: PublicReadOptions,
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
    const make = async () => new PublicAnswer(await read(options), [...varyOn, ...this.#varyOn])
    const place = { network: networkOf(request.ip), key, isCostly }
    const made = this.#cache.running(key) ?? this.#readInTurn(place, make)
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

  /**
   * Requests of one network that wait for the same read share its turn. Those of other networks
   * don't: they would wait behind everything else that this network reads.
   */
  #readInTurn(
    { network, key, isCostly }: { network: string; key: string; isCostly: boolean },
    make: () => Promise<PublicAnswer>,
  ): Promise<PublicAnswer> {
    const place = `${network}\0${key}`
    const waiting = this.#waiting.get(place)
    if (waiting !== undefined) return waiting
    const load = async () => {
      // Once it has its turn, it is a running read of the cache.
      using _turn = await (
        isCostly ? this.#waitForSearch(network) : this.#waitForTurn(network)
      ).finally(() => this.#waiting.delete(place))
      return await this.#cache.load(key, make)
    }
    const started = load()
    this.#waiting.set(place, started)
    return started
  }

  async #waitForTurn(user: string): Promise<Disposable> {
    return await this.#inTime(
      (limit) => this.#queue.wait({ user }, limit),
      () => overloaded(),
    )
  }

  /** Searches don't take turns of other reads, which are cheap. */
  async #waitForSearch(network: string): Promise<Disposable> {
    return await this.#inTime(
      (limit) => this.#searches.begin(network, limit),
      () => this.#searches.late(network),
    )
  }

  async #inTime(
    wait: (limit: AbortController) => Promise<Disposable>,
    problem: () => HttpProblem,
  ): Promise<Disposable> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(problem()), this.#readTimeoutMs)
    try {
      return await wait(limit)
    } finally {
      clearTimeout(timer)
    }
  }

  #remember({ originalUrl, routeOptions }: FastifyRequest, key: string): void {
    if (originalUrl.length > MAX_URL_LENGTH || this.#reads.has(originalUrl)) return
    if (this.#reads.size >= MAX_URLS) this.#reads.clear()
    this.#reads.set(originalUrl, { key, route: routeOptions.url ?? 'unknown' })
  }
}

function overloaded(): HttpProblem {
  return new HttpProblem(503, 'overloaded', 'too many concurrent requests; retry later', {
    retryAfterMs: 1000,
  })
}
