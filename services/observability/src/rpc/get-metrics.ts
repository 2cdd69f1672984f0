import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  MetricsGrouping,
  type MetricsBucketSchema,
  type MetricsGroupSchema,
} from '@slipway/proto/slipway/observability/v1/trace'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'

import type { ObservabilityContext } from '../context.ts'
import { bucketsOf, bucketStart } from '../domain/buckets.ts'
import { readGroupNames } from '../query/group-names.ts'
import { sumCallsByModel } from '../query/model-totals.ts'
import { readNewBuilds } from '../query/new-builds.ts'
import { NO_REQUESTS, type Totals } from '../query/totals-sql.ts'
import { sumTracesByBuild, sumTracesByInterval } from '../query/trace-totals.ts'
import type { TraceScope } from '../query/traces-sql.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { measuredTotals } from './measured-totals.ts'
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
    const { totals, isEstimate, groups, newBuilds } = await context.store.read(
      owner,
      limits,
      async (reader) => ({
        ...(await sumTracesByInterval(reader, scope, buckets.intervalNs)),
        groups: await sumGroups(reader, scope, request.groupBy),
        // They read the builds of all spans before the range.
        newBuilds:
          request.groupBy === MetricsGrouping.BUILD ? await readNewBuilds(reader, scope) : [],
      }),
    )
    return {
      range: toTimeRange(range),
      intervalMinutes: buckets.intervalMinutes,
      buckets: Array.from({ length: buckets.last - buckets.first + 1 }, (_, index) => {
        const bucket = buckets.first + index
        const startTime = toTimestamp(bucketStart(buckets, bucket))
        return { startTime, ...toBucket(totals.get(bucket) ?? NO_REQUESTS) }
      }),
      groups: [...groups].toSorted(bySize).map(toGroup),
      newBuilds: newBuilds.map(({ buildId, firstStartNs }) => ({
        buildId,
        firstStartTime: toTimestamp(firstStartNs),
      })),
      isTokenEstimate: isEstimate,
    }
  }
}

async function sumGroups(
  reader: TraceReader,
  scope: TraceScope,
  grouping: MetricsGrouping,
): Promise<ReadonlyMap<string, Totals>> {
  if (grouping === MetricsGrouping.MODEL) return await sumCallsByModel(reader, scope)
  if (grouping !== MetricsGrouping.BUILD) return new Map()
  const names = await readGroupNames(reader, scope, { column: 'build_id', condition: 'true' })
  return (await sumTracesByBuild(reader, scope, names)).totals
}

/** Sorts the largest groups first; the rest, whose key is empty, is the last one. */
function bySize([key, { count }]: [string, Totals], [other, than]: [string, Totals]): number {
  if ((key === '') !== (other === '')) return key === '' ? 1 : -1
  return than.count - count || (key < other ? -1 : 1)
}

function toGroup([key, totals]: [string, Totals]): MessageInitShape<typeof MetricsGroupSchema> {
  const { traceCount, ...others } = toBucket(totals)
  return { name: key.slice(1), isRest: key === '', requestCount: traceCount, ...others }
}

function toBucket(totals: Totals) {
  return {
    traceCount: BigInt(totals.count),
    ...measuredTotals(totals),
  } satisfies MessageInitShape<typeof MetricsBucketSchema>
}
