import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { LogsService } from '@slipway/proto/opentelemetry/proto/collector/logs/v1/logs_service'
import { MetricsService } from '@slipway/proto/opentelemetry/proto/collector/metrics/v1/metrics_service'
import { TraceService } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { DomainError, InvalidInput } from '@slipway/shared/errors'
import { warningsOnly } from '@slipway/shared/logger'
import {
  guardService,
  startGrpcServer,
  type AdmittedCall,
  type PolicyDependencies,
} from '@slipway/shared/rpc'

import { BadRequest } from '../decode/http-error.ts'
import type { IngestContext, OtlpListener } from './ingest-context.ts'
import type { Ingest } from '../pipeline/ingest.ts'
import { queueOwner, Reservation } from '../pipeline/ingest-memory.ts'
import type { Sender } from './otlp-senders.ts'
import { logs, traces, type OtlpSignal } from './otlp-signals.ts'
import { sentToken } from './sent-token.ts'
import type { SentRecord } from '../pipeline/signal.ts'

/** How long running requests may take after a shutdown has begun. */
const DRAIN_MS = 10_000
/** gRPC's default limit. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/**
 * Serves OTLP over gRPC: traces, logs and metrics, with the same rules as over HTTP. The ingest
 * token is in the `authorization` metadata. Senders retry UNAVAILABLE and RESOURCE_EXHAUSTED after
 * the delay in RetryInfo.
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

  /** Returns the handler that stores the records of a signal. */
  function exportRecords<Decoded, Response extends DescMessage>(
    signal: OtlpSignal<Decoded, Response>,
    store: Ingest<Decoded>,
  ) {
    return async (request: object): Promise<MessageShape<Response>> => {
      const encoded = encodings.get(request)
      const sender = senders.get(request)
      if (encoded === undefined || sender === undefined)
        throw new Error('the request has no sender')
      // The records are stored even if the sender disconnects.
      using _work = sender.reservation.hold()
      sender.reservation.shrinkTo(encoded.length)
      const records = asInvalidInput(signal.inProtobuf(encoded), signal)
      return signal.respond(await store(sender.owner, records, sender.reservation))
    }
  }

  // An ingest token is not an access token of the platform, so `admit` verifies it.
  const rules = { export: 'public' } as const
  const policies = { ...dependencies, logger: warningsOnly(dependencies.logger) }
  const services = [
    guardService(TraceService, { export: exportRecords(traces, ingest.traces) }, rules, policies),
    guardService(LogsService, { export: exportRecords(logs, ingest.logs) }, rules, policies),
    // Nothing is kept of metrics, so they are not decoded.
    guardService(MetricsService, { export: () => ({}) }, rules, policies),
  ]

  /** Rejects unauthorized calls before reading the message, and takes memory as it arrives. */
  async function admit(headers: Headers, address: string): Promise<AdmittedCall> {
    const owner = await tokens.resolve(sentToken(headers.get('authorization')), address)
    const reservation = new Reservation(memory.open(queueOwner(owner)))
    const reading = reservation.hold()
    return {
      messageTimeoutMs: settings.bodyTimeoutMs,
      receiving: (bytes) => reservation.grow(bytes),
      received: (message) => senders.set(message, { owner, reservation }),
      ended: () => reading[Symbol.dispose](),
    }
  }

  /** Keeps the message encoded: its records are decoded one by one. */
  function decode(bytes: Uint8Array): object {
    const request = {}
    encodings.set(request, bytes)
    return request
  }

  return await startGrpcServer(address, services, DRAIN_MS, {
    admit,
    maxMessageBytes,
    decode,
    connectionsPerAddress: settings.connectionsPerAddress,
  })
}

/** Reports a message that can't be decoded as the sender's mistake. */
function* asInvalidInput<Decoded>(
  records: Iterable<SentRecord<Decoded>>,
  { name }: OtlpSignal<Decoded>,
): Iterable<SentRecord<Decoded>> {
  try {
    yield* records
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    const message =
      cause instanceof BadRequest
        ? cause.message
        : `the message is not an OTLP request with ${name}`
    throw new InvalidInput('invalid_argument', message, { cause })
  }
}
