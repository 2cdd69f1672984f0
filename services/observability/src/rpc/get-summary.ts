import type { ServiceImpl } from '@connectrpc/connect'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import type { ObservabilityContext } from '../context.ts'
import { perHour, share, toInt64 } from '../domain/measures.ts'
import { combineTotals } from '../domain/totals.ts'
import { measuredTotals } from './measured-totals.ts'
import { openScope, toTimeRange } from './trace-scope.ts'

/** Handles GetSummary: the totals, latencies and rates of the traces in a range. */
export function getSummary(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['getSummary'] {
  return async (request, call) => {
    const { range, scope, owner, limits } = await openScope(context, call, request)
    const { hours, isEstimate } = await context.store.read(owner, limits, (reader) =>
      context.knownHours.read(reader, scope),
    )
    const totals = combineTotals([...hours.values()])
    return {
      range: toTimeRange(range),
      totalTraces: BigInt(totals.count),
      totalTokens: toInt64(totals.inputTokens + totals.outputTokens),
      errorRate: share(totals.errorCount, totals.count),
      tracesPerHour: perHour(totals.count, range),
      ...measuredTotals(totals),
      isTokenEstimate: isEstimate,
    }
  }
}
