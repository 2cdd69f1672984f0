import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js'

import { failureOf, type Outcome } from './outcome.ts'

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const TIMEOUT_MS = 30_000
/** Statuses that senders of OTLP retry, as the HTTP status that means the same. */
const HTTP_STATUSES: Readonly<Partial<Record<status, number>>> = {
  [status.UNAVAILABLE]: 503,
  [status.RESOURCE_EXHAUSTED]: 429,
  [status.UNAUTHENTICATED]: 401,
  [status.PERMISSION_DENIED]: 403,
  [status.INVALID_ARGUMENT]: 400,
}

/**
 * Sends each OTLP request over gRPC once, as the libraries of senders do: these send a call again
 * that a server has refused before it read it, as when it closes a connection (RFC 9113, 8.7).
 */
export class GrpcSender implements Disposable {
  readonly #client: Client

  /** Takes a host:port. */
  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      // Not one that another sender of this process has.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
    })
  }

  async send(token: string, body: Uint8Array): Promise<Outcome> {
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${token}`)
    const bytes = Buffer.from(body)
    return await new Promise((resolve) => {
      this.#client.makeUnaryRequest(
        EXPORT,
        (message: Buffer) => message,
        (message: Buffer) => message,
        bytes,
        metadata,
        { deadline: Date.now() + TIMEOUT_MS },
        (error) => resolve(error === null ? { status: 200, body: undefined } : outcomeOf(error)),
      )
    })
  }

  [Symbol.dispose](): void {
    this.#client.close()
  }
}

function outcomeOf({ code, details }: ServiceError): Outcome {
  if (code === status.DEADLINE_EXCEEDED) return { failure: 'timeout', detail: details }
  // Made by the client when it has no connection.
  const failed = failureOf(details)
  if ('failure' in failed && failed.failure !== 'broken') return failed
  return { status: HTTP_STATUSES[code] ?? 500, body: { code: `grpc_${status[code]}`, details } }
}
