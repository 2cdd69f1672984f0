import { create } from '@bufbuild/protobuf'
import {
  ExportTraceServiceRequestSchema,
  TraceService,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { DomainError, InvalidInput } from '@slipway/shared/errors'
import { warningsOnly } from '@slipway/shared/logger'
import {
  guardService,
  startGrpcServer,
  type AdmittedCall,
  type PolicyDependencies,
} from '@slipway/shared/rpc'

import type { SpanOwner } from '../domain/span.ts'
import { BadRequest } from './http-error.ts'
import type { IngestContext, OtlpListener } from './ingest-context.ts'
import { memoryOwner, Reservation } from './ingest-memory.ts'
import { spansInProtobuf } from './otlp-protobuf.ts'
import { sentToken } from './sent-token.ts'

/** How long running requests may take after a shutdown has begun. */
const DRAIN_MS = 10_000
/** gRPC's default limit. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** The sender of a call, known before its message is read. */
interface Sender {
  readonly owner: SpanOwner
  readonly reservation: Reservation
}

/**
 * Serves OTLP over gRPC, with the same rules as over HTTP. The ingest token is in the
 * `authorization` metadata. Senders retry UNAVAILABLE and RESOURCE_EXHAUSTED after the delay in
 * RetryInfo.
 * https://opentelemetry.io/docs/specs/otlp/#otlpgrpc
 */
export async function startOtlpGrpc(
  address: string,
  { tokens, ingest, memory, settings }: IngestContext,
  dependencies: PolicyDependencies,
): Promise<OtlpListener> {
  const maxMessageBytes = Math.min(settings.bodyBytes, settings.decodedBytes, MAX_MESSAGE_BYTES)
  const encodings = new WeakMap<object, Uint8Array>()
  const senders = new WeakMap<object, Sender>()
  const service = guardService(
    TraceService,
    {
      async export(request) {
        const encoded = encodings.get(request)
        const sender = senders.get(request)
        if (encoded === undefined || sender === undefined)
          throw new Error('the request has no sender')
        // The spans are stored even if the sender disconnects.
        using _work = sender.reservation.hold()
        sender.reservation.shrinkTo(encoded.length)
        const spans = asInvalidInput(spansInProtobuf(encoded))
        return await ingest(sender.owner, spans, sender.reservation)
      },
    },
    // An ingest token is not an access token of the platform, so `admit` verifies it.
    { export: 'public' },
    { ...dependencies, logger: warningsOnly(dependencies.logger) },
  )

  /** Rejects unauthorized calls before reading the message, and takes memory as it arrives. */
  async function admit(headers: Headers, address: string): Promise<AdmittedCall> {
    const owner = await tokens.resolve(sentToken(headers.get('authorization')), address)
    const reservation = new Reservation(memory.open(memoryOwner(owner)))
    const reading = reservation.hold()
    return {
      messageTimeoutMs: settings.bodyTimeoutMs,
      receiving: (bytes) => reservation.grow(bytes),
      received: (message) => senders.set(message, { owner, reservation }),
      ended: () => reading[Symbol.dispose](),
    }
  }

  /** Keeps the message encoded: its spans are decoded one by one. */
  function decode(bytes: Uint8Array): object {
    const request = create(ExportTraceServiceRequestSchema)
    encodings.set(request, bytes)
    return request
  }

  return await startGrpcServer(address, [service], DRAIN_MS, {
    admit,
    maxMessageBytes,
    decode,
    connectionsPerAddress: settings.connectionsPerAddress,
  })
}

/** Reports a message that can't be decoded as the sender's mistake. */
function* asInvalidInput<Item>(spans: Iterable<Item>): Iterable<Item> {
  try {
    yield* spans
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    const message =
      cause instanceof BadRequest ? cause.message : 'the message is not an OTLP trace request'
    throw new InvalidInput('invalid_argument', message, { cause })
  }
}
