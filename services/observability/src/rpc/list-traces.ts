import type { ServiceImpl } from '@connectrpc/connect'
import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import type { ObservabilityContext } from '../context.ts'
import { nextPageToken, readPageStart, resolvePage } from '../domain/page.ts'
import { readTraceFilter } from '../domain/trace-filter.ts'
import { listTraceEntries, listTraces as queryTraces } from '../query/list-traces.ts'
import { toIdEntry, toTraceEntry } from './trace-entry.ts'
import { openScope, toTimeRange } from './trace-scope.ts'

/** Handles ListTraces: a page of the traces in a range that match the filters. */
export function listTraces(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['listTraces'] {
  return async (request, call) => {
    const start = readPageStart(request.pageToken)
    const page = resolvePage(request, start)
    const isError =
      request.status === TraceStatus.UNSPECIFIED ? undefined : request.status === TraceStatus.ERROR
    const filter = readTraceFilter(request, isError)
    const { range, scope, owner, limits } = await openScope(context, call, {
      ...request,
      resolved: start?.range,
    })
    const { knownHours } = context
    const listing = { filter, page, order: 'newest first', knownHours } as const
    const { traces, total } = await context.store.read(owner, limits, async (reader) => {
      if (!request.onlyIds) {
        const listed = await queryTraces(reader, scope, listing)
        return { ...listed, traces: listed.traces.map(toTraceEntry) }
      }
      const { entries, total: count } = await listTraceEntries(reader, scope, listing)
      return { traces: entries.map(toIdEntry), total: count }
    })
    return {
      traces,
      nextPageToken: nextPageToken(range, page, total),
      total: BigInt(total),
      range: toTimeRange(range),
    }
  }
}
