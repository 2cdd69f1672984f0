import { TraceService } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { warningsOnly } from '@slipway/shared/logger'
import { guardService, startGrpcServer, type PolicyDependencies } from '@slipway/shared/rpc'

import { spansOf } from './ingest.ts'
import { bearerToken, type IngestContext, type OtlpListener } from './ingest-context.ts'

/** How long running requests may go on after a stop was asked for. */
const DRAIN_MS = 10_000

/**
 * Serves OTLP over gRPC with the same rules as over HTTP; the ingest token is in the metadata `authorization`. Senders
 * try again after UNAVAILABLE and RESOURCE_EXHAUSTED, when the RetryInfo says. https://opentelemetry.io/docs/specs/otlp/#otlpgrpc
 */
export async function startOtlpGrpc(
  address: string,
  { tokens, ingest }: IngestContext,
  dependencies: PolicyDependencies,
): Promise<OtlpListener> {
  const service = guardService(
    TraceService,
    {
      async export(request, call) {
        const owner = await tokens.resolve(bearerToken(call.requestHeader.get('authorization')))
        return await ingest(owner, spansOf(request))
      },
    },
    // Ingest tokens are none of the platform's access tokens, so the handler looks at them itself.
    { export: 'public' },
    { ...dependencies, logger: warningsOnly(dependencies.logger) },
  )
  // Before the message is read: strangers don't get to send any.
  const admit = (headers: Headers) => tokens.resolve(bearerToken(headers.get('authorization')))
  return await startGrpcServer(address, [service], DRAIN_MS, admit)
}
