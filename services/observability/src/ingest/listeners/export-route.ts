import type { DescMessage } from '@bufbuild/protobuf'
import { DomainError } from '@slipway/shared/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { freeBuffer } from '../pipeline/free-buffer.ts'
import { BadRequest } from '../decode/http-error.ts'
import type { IngestContext } from './ingest-context.ts'
import type { Ingest } from '../pipeline/ingest.ts'
import type { Reservation } from '../pipeline/ingest-memory.ts'
import { answer, isJson } from './otlp-answer.ts'
import type { OtlpSenders } from './otlp-senders.ts'
import type { OtlpSignal } from './otlp-signals.ts'
import { decompress } from './read-body.ts'
import type { SentRecord } from '../pipeline/signal.ts'

/** Adds the route that stores the records of a signal. */
export function addExportRoute<Decoded, Response extends DescMessage>(
  app: FastifyInstance,
  context: IngestContext,
  senders: OtlpSenders,
  { signal, ingest }: { signal: OtlpSignal<Decoded, Response>; ingest: Ingest<Decoded> },
): void {
  app.post(`/v1/${signal.name}`, {
    // Unauthorized requests are rejected before their body is read.
    onRequest: (request, reply) => senders.admit(request, reply),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { owner, reservation } = senders.of(request)
      // The records are stored even if the sender disconnects.
      using _work = reservation.hold()
      const records = await readRecords(request, context, { reservation, signal })
      const result = await ingest(owner, records, reservation)
      reply.headers((await context.spanQuota.open(owner.accountId)).headers)
      return await answer(reply, request, signal.response, signal.respond(result))
    },
  })
}

async function readRecords<Decoded>(
  request: FastifyRequest,
  { settings }: IngestContext,
  { reservation, signal }: { reservation: Reservation; signal: OtlpSignal<Decoded> },
): Promise<Iterable<SentRecord<Decoded>>> {
  const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const isInJson = isJson(request)
  const maxBytes = isInJson
    ? Math.min(settings.jsonBytes, settings.decodedBytes)
    : settings.decodedBytes
  const encoding = request.headers['content-encoding']
  const body = await decompress(sent, encoding, maxBytes, reservation)
  if (isInJson && body.length > settings.jsonBytes) {
    throw new BadRequest(`the JSON is larger than ${settings.jsonBytes} bytes`, { status: 413 })
  }
  const records = isInJson
    ? signal.inJson(body, (bytes) => reservation.grow(bytes))
    : signal.inProtobuf(body)
  return recordsIn(body, records, signal)
}

/**
 * Yields the records of a body, which is freed after the last one. Reports a body that can't be
 * decoded as the sender's mistake.
 */
function* recordsIn<Decoded>(
  body: Buffer,
  records: Iterable<SentRecord<Decoded>>,
  { name }: OtlpSignal<Decoded>,
): Iterable<SentRecord<Decoded>> {
  try {
    yield* records
  } catch (cause) {
    if (cause instanceof BadRequest || cause instanceof DomainError) throw cause
    throw new BadRequest(`the body is not an OTLP request with ${name}`, { cause })
  } finally {
    freeBuffer(body)
  }
}
