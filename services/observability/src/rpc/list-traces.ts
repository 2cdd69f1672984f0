import type { ServiceImpl } from '@connectrpc/connect'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import type { ObservabilityContext } from '../context.ts'
import { toMilliseconds } from '../domain/measures.ts'
import { nextPageToken, readPageStart, resolvePage } from '../domain/page.ts'
import { checkSearchText } from '../domain/search-text.ts'
import { listTraces as queryTraces, type ListedTrace } from '../query/list-traces.ts'
import { openScope, toTimeRange, toTimestamp } from './trace-scope.ts'

/** Handles ListTraces: a page of the traces in a range that match the filters. */
export function listTraces(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['listTraces'] {
  return async (request, call) => {
    const start = readPageStart(request.pageToken)
    const page = resolvePage(request, start)
    checkSearchText(request.query)
    const { range, scope, owner, limits } = await openScope(context, call, {
      ...request,
      resolved: start?.range,
    })
    const filter = {
      isError:
        request.status === TraceStatus.UNSPECIFIED
          ? undefined
          : request.status === TraceStatus.ERROR,
      buildId: request.buildId === '' ? undefined : request.buildId,
      text: request.query === '' ? undefined : request.query,
    }
    const { traces, total } = await context.store.read(owner, limits, (reader) =>
      queryTraces(reader, scope, { filter, page }),
    )
    return {
      traces: traces.map(toTraceEntry),
      nextPageToken: nextPageToken(range, page, total),
      total: BigInt(total),
      range: toTimeRange(range),
    }
  }
}

function toTraceEntry(trace: ListedTrace) {
  return {
    traceId: trace.traceId,
    name: trace.name,
    status: trace.isError ? TraceStatus.ERROR : TraceStatus.OK,
    latencyMs: toMilliseconds(trace.durationNs),
    input: trace.input,
    output: trace.output,
    startTime: toTimestamp(trace.startTimeNs),
  }
}
