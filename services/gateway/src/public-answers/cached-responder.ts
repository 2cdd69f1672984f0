import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Logger } from '@slipway/shared/logger'
import { plainLines, type LineWriter } from '@slipway/shared/plain-lines'
import {
  continueTrace,
  isMeasuring,
  isTracing,
  measureHttpRequest,
  traceIdOf,
} from '@slipway/shared/telemetry'

import { acceptedEncoding } from '../http/responses/accept-encoding.ts'
import { matchesEtag } from '../http/responses/entity-tag.ts'
import { PIECE_BYTES } from '../http/responses/pieces.ts'
import { anonymousKey } from '../http/plugins/address-limit.ts'
import { requestIdOf } from '../http/plugins/request-context.ts'
import { rateLimitHeaders } from '../http/limits/rate-limit-headers.ts'
import type { TokenBuckets } from '../http/limits/token-buckets.ts'
import { hasSessionCookie } from '../sessions/cookies.ts'
import type { PublicAnswers } from './public-answers.ts'

export interface CachedResponderOptions {
  readonly publicAnswers: PublicAnswers
  readonly addresses: TokenBuckets
  readonly logger: Logger
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string
}

/**
 * Sends public answers that are in memory before Fastify sees the request, with the same headers,
 * rate limit, log line and metrics. Leaves unusual requests and large answers to Fastify, and all
 * requests if the process records spans.
 */
export class CachedResponder {
  readonly #options: CachedResponderOptions
  readonly #lines = new Map<string, LineWriter>()
  readonly #prepareLine: ReturnType<typeof plainLines>
  readonly #isMeasuring = isMeasuring()
  #isOpen = !isTracing()

  constructor(options: CachedResponderOptions) {
    this.#options = options
    this.#prepareLine = plainLines(options.logger)
  }

  /** Leaves all requests to Fastify from now on. */
  close(): void {
    this.#isOpen = false
  }

  /** Responds to a request from memory; returns false if it left the request to Fastify. */
  respond(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers, url = '' } = request
    if (!this.#isOpen || request.method !== 'GET') return false
    if (headers.authorization !== undefined || headers.origin !== undefined) return false
    if (hasSessionCookie(request)) return false
    const { publicAnswers, addresses, addressOf } = this.#options
    const startedAt = performance.now()
    const read = publicAnswers.readAt(url)
    if (read === undefined) return false
    const representation = publicAnswers
      .find(read)
      ?.peek(acceptedEncoding(headers['accept-encoding']))
    if (representation === undefined || representation.body.length > PIECE_BYTES) return false
    // The client has not read the responses before this one.
    if (response.socket === null || response.socket.writableLength > 0) return false
    const taken = addresses.take(anonymousKey(addressOf(request)))
    if (!taken.isAllowed) return false

    const requestId = requestIdOf(request)
    const limits = rateLimitHeaders(addresses.settings.burst, taken)
    const { body, payload, etag, headerList } = representation
    const isKnown = matchesEtag(headers['if-none-match'], etag)
    if (isKnown)
      response.writeHead(304, [...headerList, ...limits, 'x-request-id', requestId]).end()
    else {
      const length = ['content-length', String(body.length)]
      response
        .writeHead(200, [...headerList, ...limits, 'x-request-id', requestId, ...length])
        .end(payload, 'latin1')
    }
    this.#record(read.route, isKnown ? 304 : 200, startedAt, requestId, headers['traceparent'])
    return true
  }

  /** Logs and measures an answered request. */
  #record(
    route: string,
    status: number,
    startedAt: number,
    requestId: string,
    traceparent: unknown,
  ): void {
    const durationMs = performance.now() - startedAt
    if (this.#isMeasuring) measureHttpRequest('GET', route, status, durationMs / 1000)
    const key = `${status} ${route}`
    let writeLine = this.#lines.get(key)
    if (writeLine === undefined) {
      writeLine = this.#prepareLine('request', { method: 'GET', route, status })
      this.#lines.set(key, writeLine)
    }
    const traceId =
      typeof traceparent === 'string'
        ? traceIdOf(continueTrace({ traceparent }).traceparent)
        : undefined
    const rounded = Math.round(durationMs * 10) / 10
    writeLine({ duration_ms: rounded, request_id: requestId, trace_id: traceId })
  }
}
