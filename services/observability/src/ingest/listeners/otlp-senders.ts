import type { FastifyReply, FastifyRequest } from 'fastify'

import type { SpanOwner } from '../../domain/span.ts'
import { BadRequest } from '../decode/http-error.ts'
import type { IngestContext } from './ingest-context.ts'
import { queueOwner, Reservation } from '../pipeline/ingest-memory.ts'
import { sentToken } from './sent-token.ts'

/** The sender of a request, known before its body is read. */
export interface Sender {
  readonly owner: SpanOwner
  readonly reservation: Reservation
}

/** The senders of the requests of a listener. */
export class OtlpSenders {
  readonly #context: IngestContext
  readonly #senders = new WeakMap<FastifyRequest, Sender>()

  constructor(context: IngestContext) {
    this.#context = context
  }

  /** Rejects a request without a valid token, or with a body that is too large. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { tokens, memory, settings } = this.#context
    const owner = await tokens.resolve(sentToken(request.headers.authorization), request.ip)
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > settings.bodyBytes)
      throw new BadRequest(`the body is larger than ${settings.bodyBytes} bytes`, { status: 413 })
    const reservation = new Reservation(memory.open(queueOwner(owner)))
    const reading = reservation.hold()
    reply.raw.once('close', () => reading[Symbol.dispose]())
    this.#senders.set(request, { owner, reservation })
  }

  /** Returns the sender of a request; undefined if it was not admitted. */
  find(request: FastifyRequest): Sender | undefined {
    return this.#senders.get(request)
  }

  /** Returns the sender of an admitted request. */
  of(request: FastifyRequest): Sender {
    const sender = this.find(request)
    if (sender === undefined) throw new Error('the request has no sender')
    return sender
  }
}
