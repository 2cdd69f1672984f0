import type { ServiceImpl } from '@connectrpc/connect'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import type { ObservabilityContext } from '../context.ts'
import { bucketsOf, bucketStart } from '../domain/buckets.ts'
import { meanMilliseconds, toInt64, toMilliseconds } from '../domain/measures.ts'
import { NO_TRACES, sumTracesByInterval } from '../query/trace-totals.ts'
import { openScope, toTimeRange, toTimestamp } from './trace-scope.ts'

/** Handles GetMetrics: the totals and latencies of the traces in each interval of a range. */
export function getMetrics(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['getMetrics'] {
  return async (request, call) => {
    const check = (range: { startNs: bigint; endNs: bigint }) =>
      bucketsOf(range, request.intervalMinutes)
    const {
      range,
      scope,
      owner,
      limits,
      checked: buckets,
    } = await openScope(context, call, request, check)
    const totals = await context.store.read(owner, limits, (reader) =>
      sumTracesByInterval(reader, scope, buckets.intervalNs),
    )
    return {
      range: toTimeRange(range),
      intervalMinutes: buckets.intervalMinutes,
      buckets: Array.from({ length: buckets.last - buckets.first + 1 }, (_, index) => {
        const bucket = buckets.first + index
        const { count, errorCount, durationSumNs, p95Ns, inputTokens, outputTokens } =
          totals.get(bucket) ?? NO_TRACES
        return {
          startTime: toTimestamp(bucketStart(buckets, bucket)),
          traceCount: BigInt(count),
          errorCount: BigInt(errorCount),
          avgLatencyMs: meanMilliseconds(durationSumNs, count),
          p95LatencyMs: toMilliseconds(p95Ns),
          inputTokens: toInt64(inputTokens),
          outputTokens: toInt64(outputTokens),
        }
      }),
    }
  }
}
