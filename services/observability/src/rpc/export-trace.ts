import type { ServiceImpl } from '@connectrpc/connect'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { NotFound } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { toResourceSpans } from './otlp-spans.ts'
import { readKeptTrace, requireTraceId } from './read-kept-trace.ts'
import { queryLimits, queryOwner } from './trace-scope.ts'

/** Handles ExportTrace: the spans of a trace in OpenTelemetry's representation. */
export function exportTrace(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['exportTrace'] {
  return async ({ account, name, traceId: requestedId }, call) => {
    const limits = queryLimits(context, call)
    const traceId = requireTraceId(requestedId)
    const owner = await context.memberships.require(call, account, name)
    const reads = queryOwner(call, owner.accountId)
    using _turn = await context.traceTurns.begin(reads, limits)
    const trace = await context.store.read(reads, limits, (reader) =>
      readKeptTrace(context, reader, { owner, traceId }),
    )
    if (trace === undefined) throw new NotFound('trace_not_found', 'trace not found')
    return {
      resourceSpans: toResourceSpans({ agent: name, traceId, spans: trace.spans }),
      isTruncated: trace.isTruncated,
    }
  }
}
