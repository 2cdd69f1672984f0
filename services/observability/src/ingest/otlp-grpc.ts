import { create } from '@bufbuild/protobuf'
import {
  ExportTraceServiceRequestSchema,
  TraceService,
} from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { InvalidInput } from '@slipway/shared/errors'
import { warningsOnly } from '@slipway/shared/logger'
import {
  guardService,
  startGrpcServer,
  type AdmittedCall,
  type PolicyDependencies,
} from '@slipway/shared/rpc'

import type { SpanOwner } from '../domain/span.ts'
import { BadRequest } from './http-error.ts'
import { bearerToken, type IngestContext, type OtlpListener } from './ingest-context.ts'
import type { Reservation } from './memory-budget.ts'
import { spansInProtobuf } from './otlp-protobuf.ts'

/** How long running requests may go on after a stop was asked for. */
const DRAIN_MS = 10_000
/**
 * Nothing tells how large a message will be, so room for one of this size is taken while it is
 * read. gRPC's usual limit.
 */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** What is known of a call before its message is read. */
interface Sender {
  readonly owner: SpanOwner
  readonly reservation: Reservation
}

/**
 * Serves OTLP over gRPC with the same rules as over HTTP; the ingest token is in the metadata
 * `authorization`. Senders try again after UNAVAILABLE and RESOURCE_EXHAUSTED, when the RetryInfo
 * says. https://opentelemetry.io/docs/specs/otlp/#otlpgrpc
 */
export async function startOtlpGrpc(
  address: string,
  { tokens, ingest, budget, settings }: IngestContext,
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
        // The work goes on when the sender has gone.
        using _work = sender.reservation.hold()
        sender.reservation.shrinkTo(encoded.length)
        sender.reservation.grow(
          Math.max(0, encoded.length - Math.min(maxMessageBytes, budget.shareBytes)),
        )
        return await ingest(sender.owner, orInvalid(spansInProtobuf(encoded)))
      },
    },
    // Ingest tokens are none of the platform's access tokens, so `admit` looks at them itself.
    { export: 'public' },
    { ...dependencies, logger: warningsOnly(dependencies.logger) },
  )

  /**
   * Before the message is read: strangers don't get to send any, and what there is no room for
   * isn't read.
   */
  async function admit(headers: Headers): Promise<AdmittedCall> {
    const owner = await tokens.resolve(bearerToken(headers.get('authorization')))
    const reservation = budget.open(owner.accountId)
    reservation.grow(Math.min(maxMessageBytes, budget.shareBytes))
    const reading = reservation.hold()
    return {
      messageTimeoutMs: settings.bodyTimeoutMs,
      received: (message) => senders.set(message, { owner, reservation }),
      ended: () => reading[Symbol.dispose](),
    }
  }

  /** The message is kept as it came: its spans are decoded one by one. */
  function decode(bytes: Uint8Array): object {
    const request = create(ExportTraceServiceRequestSchema)
    encodings.set(request, bytes)
    return request
  }

  return await startGrpcServer(address, [service], DRAIN_MS, { admit, maxMessageBytes, decode })
}

/** What turns out to be no request is the sender's mistake. */
function* orInvalid<Item>(spans: Iterable<Item>): Iterable<Item> {
  try {
    yield* spans
  } catch (cause) {
    const message =
      cause instanceof BadRequest ? cause.message : 'the message is no OTLP trace request'
    throw new InvalidInput('invalid_argument', message, { cause })
  }
}
