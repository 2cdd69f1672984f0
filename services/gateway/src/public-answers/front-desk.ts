import type { IncomingMessage, ServerResponse } from 'node:http'

import { plainLines, type LineWriter, type Logger } from '@slipway/shared/logger'
import { traceIdOf, traceparentFrom } from '@slipway/shared/rpc'
import { isMeasuring, measureHttpRequest } from '@slipway/shared/telemetry'

import { acceptedEncoding } from '../http/compression.ts'
import { anonymousKey, rateLimitHeaders } from '../http/plugins/address-limit.ts'
import type { TokenBuckets } from '../http/token-buckets.ts'
import { requestIdOf } from '../http/plugins/request-context.ts'
import { matchesEtag } from './send.ts'
import type { PublicAnswers } from './public-answers.ts'

/** What a front desk works with. */
export interface FrontDeskOptions {
  readonly publicAnswers: PublicAnswers
  readonly addresses: TokenBuckets
  readonly logger: Logger
  /** The address that a request came from. */
  readonly addressOf: (request: IncomingMessage) => string
}

/**
 * Hands out answers to public reads that are at hand before the framework takes the request up,
 * with the same headers, limit, log line and measure as it would. Whatever is out of the ordinary
 * it leaves to the framework.
 */
export class FrontDesk {
  readonly #options: FrontDeskOptions
  readonly #lines = new Map<string, LineWriter>()
  readonly #prepare: ReturnType<typeof plainLines>
  readonly #isMeasuring = isMeasuring()
  #isOpen = true

  constructor(options: FrontDeskOptions) {
    this.#options = options
    this.#prepare = plainLines(options.logger)
  }

  /** From now on all requests are the framework's. */
  close(): void {
    this.#isOpen = false
  }

  /** Whether the request is answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers, url = '' } = request
    if (!this.#isOpen || request.method !== 'GET') return false
    if (headers.authorization !== undefined || headers.origin !== undefined) return false
    const { publicAnswers, addresses, addressOf } = this.#options
    const startedAt = performance.now()
    const read = publicAnswers.readAt(url)
    if (read === undefined) return false
    const representation = publicAnswers
      .find(read)
      ?.peek(acceptedEncoding(headers['accept-encoding']))
    if (representation === undefined) return false
    const taken = addresses.take(anonymousKey(addressOf(request)))
    if (!taken.isAllowed) return false

    const requestId = requestIdOf(request)
    const limits = rateLimitHeaders(addresses.settings.burst, taken)
    const { body, etag, headerList } = representation
    const isKnown = matchesEtag(headers['if-none-match'], etag)
    if (isKnown)
      response.writeHead(304, [...headerList, ...limits, 'x-request-id', requestId]).end()
    else {
      const length = ['content-length', String(body.length)]
      response
        .writeHead(200, [...headerList, ...limits, 'x-request-id', requestId, ...length])
        .end(body)
    }
    this.#tell(read.route, isKnown ? 304 : 200, startedAt, requestId, headers['traceparent'])
    return true
  }

  #tell(
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
      writeLine = this.#prepare('request', { method: 'GET', route, status })
      this.#lines.set(key, writeLine)
    }
    const traceId =
      typeof traceparent === 'string' ? traceIdOf(traceparentFrom(traceparent)) : undefined
    writeLine({ durationMs: Math.round(durationMs * 10) / 10, requestId, traceId })
  }
}
