import type { ServerResponse } from 'node:http'

import { userKey } from '@slipway/shared/auth'
import type { FairQueue, FairShare, Owner } from '@slipway/shared/fair-queue'
import { MAX_RESPONSE_BYTES } from '@slipway/shared/rpc'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isLimited } from '../requests/api-scope.ts'
import {
  chargeOf,
  pendingBytes,
  requestTurns,
  tooManyRequests,
  type PendingLimits,
} from '../limits/pending.ts'
import { HttpProblem, titleOf } from '../problem.ts'
import { inPieces, PIECE_BYTES } from '../responses/pieces.ts'

/** What a request without a body takes in memory, approximately. */
const REQUEST_BYTES = 16 * 1024
/** A body is in memory as bytes, as values and as the message to a service. */
const BODY_COPIES = 3
/** More is not counted, so that the largest body and the largest response always fit. */
const MAX_BODY_BYTES = MAX_RESPONSE_BYTES
/** How long a request waits for its turn. */
const MAX_WAIT_MS = 15_000
/** Headers of a response that don't belong to the problem that replaces it. */
const HEADERS_OF_BODY = ['content-encoding', 'content-length', 'etag', 'cache-control']

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of this route mostly wait, for a lock or for events, so they take no turn. */
    waitsLong?: boolean
  }
  interface FastifyRequest {
    /** The memory that the request and its response hold. */
    pending: FairShare | undefined
    /** Held until the response is ready to be sent, even if the client has left. */
    turn: FairShare | undefined
    /** Produces a part of the response to a request that takes no turn, in a turn of the user. */
    inTurn(reply: FastifyReply, work: () => Promise<string>): Promise<string>
  }
}

/**
 * Bounds the memory of each caller's requests and unread responses, and how many requests of a user
 * run at the same time; the others wait. After a large response, further requests of the user wait,
 * too. So a client that doesn't read its responses, sends many requests at once, or reads much,
 * takes nothing from others. Runs after the user limit.
 */
export function addPendingLimit(app: FastifyInstance, limits: PendingLimits): void {
  const bytes = pendingBytes(limits)
  const turns = requestTurns(limits)
  app.decorateRequest('pending')
  app.decorateRequest('turn')

  app.addHook('onRequest', (request, reply, done) => {
    if (!isLimited(request)) return done()
    done(takeBytes(bytes, request, reply.raw))
  })
  const nextTurn = async (request: FastifyRequest, { raw }: FastifyReply): Promise<FairShare> => {
    const owner = ownerOf(request)
    const tooLong = () => tooManyRequests(limits.requests.perUser, turns.chargedMs(owner))
    return await turns.wait(owner, patienceOf(raw, tooLong))
  }
  const charge = (request: FastifyRequest, bytes: number): void => {
    const ms = chargeOf(bytes, limits)
    if (ms > 0) turns.charge(ownerOf(request), ms)
  }
  app.decorateRequest('inTurn', async function (reply, work) {
    using _turn = await nextTurn(this, reply)
    const text = await work()
    charge(this, text.length)
    return text
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.caller !== undefined && request.routeOptions.config.waitsLong !== true) {
      const turn = await nextTurn(request, reply)
      request.turn = turn
      if (reply.raw.closed) turn[Symbol.dispose]()
    }
    requireRoom(request)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400 || !isBody(payload)) return done(null, payload)
    const bytes = Buffer.byteLength(payload)
    if (request.turn !== undefined) charge(request, bytes)
    try {
      request.pending?.grow(bytes)
    } catch (error) {
      for (const name of HEADERS_OF_BODY) reply.removeHeader(name)
      return done(error as Error)
    }
    done(null, payload)
  })
}

/**
 * Ends a request's turn, and sends large bodies in pieces. Runs after compression.
 */
export function addSendingInPieces(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    request.turn?.[Symbol.dispose]()
    if (!isBody(payload)) return done(null, payload)
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    request.pending?.shrinkTo(requestBytes(request) + body.length)
    if (body.length <= PIECE_BYTES || request.method === 'HEAD') return done(null, body)
    reply.header('content-length', body.length)
    done(null, inPieces(body))
  })
}

/** Takes the memory of a request until its response is sent or broken off. */
function takeBytes(
  bytes: FairQueue,
  request: FastifyRequest,
  response: ServerResponse,
): Error | undefined {
  try {
    request.pending = bytes.take(ownerOf(request), requestBytes(request))
  } catch (error) {
    return error as Error
  }
  response.once('close', () => {
    request.pending?.[Symbol.dispose]()
    // A response that is ready later takes nothing: no one would release it.
    request.pending = undefined
    // A running request keeps its turn until it ends, since the services still work for it.
  })
  return undefined
}

/**
 * Throws the refusal if the caller has no room for the largest response, before the response is
 * produced.
 */
function requireRoom(request: FastifyRequest): void {
  request.pending?.grow(MAX_RESPONSE_BYTES)
  request.pending?.shrinkTo(requestBytes(request))
}

/** What a request takes in memory. A body of unknown size counts as the largest one allowed. */
function requestBytes({ headers, server }: FastifyRequest): number {
  const limit = server.initialConfig.bodyLimit ?? 0
  const size = headers['transfer-encoding'] === undefined ? headers['content-length'] : limit
  const bodyBytes = BODY_COPIES * Math.min(Number(size ?? 0), limit)
  return REQUEST_BYTES + Math.min(bodyBytes, MAX_BODY_BYTES)
}

function ownerOf({ caller, addressKey }: FastifyRequest): Owner {
  return { user: caller === undefined ? addressKey : `user ${userKey(caller)}` }
}

/** Aborts when the response closes, or when it has waited for too long. */
function patienceOf(response: ServerResponse, tooLong: () => Error): { signal: AbortSignal } {
  return {
    get signal() {
      const waiting = new AbortController()
      const timer = setTimeout(() => waiting.abort(tooLong()), MAX_WAIT_MS)
      response.once('close', () => {
        clearTimeout(timer)
        waiting.abort(new HttpProblem(499, 'client_closed_request', titleOf(499)))
      })
      return waiting.signal
    },
  }
}

function isBody(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}
