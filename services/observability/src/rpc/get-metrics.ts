import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  MetricsGrouping,
  type MetricsBucketSchema,
} from '@slipway/proto/slipway/observability/v1/trace'
import type {
  MetricsGroupBucketSchema,
  MetricsGroupSchema,
} from '@slipway/proto/slipway/observability/v1/metrics_group'
import type { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { invalidField } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { bucketsOf, bucketStart, type BucketRange } from '../domain/buckets.ts'
import { toDollars, toInt64 } from '../domain/measures.ts'
import { readGroupNames } from '../query/group-names.ts'
import {
  readModelNames,
  sumCallsByModel,
  sumCallsByModelAndInterval,
  type ModelInterval,
} from '../query/model-totals.ts'
import { readNewBuilds } from '../query/new-builds.ts'
import { NO_REQUESTS, type Totals } from '../domain/totals.ts'
import { sumTracesByBuild } from '../query/trace-totals.ts'
import { sumByInterval } from '../query/interval-totals.ts'
import type { TraceScope } from '../query/traces-sql.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { measuredTotals } from './measured-totals.ts'
import { openScope, toTimeRange, toTimestamp } from './trace-scope.ts'

/** Handles GetMetrics: the totals and latencies of the traces in each interval of a range. */
export function getMetrics(
  context: ObservabilityContext,
): ServiceImpl<typeof TraceService>['getMetrics'] {
  return async (request, call) => {
    const { groupBy, groupBuckets } = request
    if (groupBuckets && groupBy !== MetricsGrouping.MODEL)
      throw invalidField('group_buckets', 'needs the grouping by model')
    const check = (range: { startNs: bigint; endNs: bigint }) =>
      bucketsOf(range, request.intervalMinutes, groupBuckets)
    const {
      range,
      scope,
      owner,
      limits,
      checked: buckets,
    } = await openScope(context, call, request, check)
    const { totals, isEstimate, groups, intervals, newBuilds } = await context.store.read(
      owner,
      limits,
      async (reader) => ({
        ...(await sumByInterval(reader, scope, { knownHours: context.knownHours, buckets })),
        ...(await sumGroups(reader, scope, groupBy, groupBuckets ? buckets : undefined)),
        // They read the builds of all spans before the range.
        newBuilds: groupBy === MetricsGrouping.BUILD ? await readNewBuilds(reader, scope) : [],
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
      groups: [...groups].toSorted(bySize).map(([key, each]) => ({
        ...toGroup(key, each),
        buckets: intervals
          .filter((interval) => interval.key === key)
          .map((interval) => toGroupBucket(interval, buckets)),
      })),
      newBuilds: newBuilds.map(({ buildId, firstStartNs }) => ({
        buildId,
        firstStartTime: toTimestamp(firstStartNs),
      })),
      isTokenEstimate: isEstimate,
    }
  }
}

/** The totals of each group, and of each of its intervals if there are buckets for them. */
interface Groups {
  readonly groups: ReadonlyMap<string, Totals>
  readonly intervals: readonly ModelInterval[]
}

async function sumGroups(
  reader: TraceReader,
  scope: TraceScope,
  grouping: MetricsGrouping,
  buckets: BucketRange | undefined,
): Promise<Groups> {
  if (grouping === MetricsGrouping.MODEL) {
    const names = await readModelNames(reader, scope)
    const intervals =
      buckets === undefined
        ? []
        : await sumCallsByModelAndInterval(reader, scope, names, buckets.intervalNs)
    return { groups: await sumCallsByModel(reader, scope, names), intervals }
  }
  if (grouping !== MetricsGrouping.BUILD) return { groups: new Map(), intervals: [] }
  const names = await readGroupNames(reader, scope, { column: 'build_id', condition: 'true' })
  const { totals: groups } = await sumTracesByBuild(reader, scope, names)
  return { groups, intervals: [] }
}

/** Sorts the largest groups first; the rest, whose key is empty, is the last one. */
function bySize([key, { count }]: [string, Totals], [other, than]: [string, Totals]): number {
  if ((key === '') !== (other === '')) return key === '' ? 1 : -1
  return than.count - count || (key < other ? -1 : 1)
}

function toGroup(key: string, totals: Totals) {
  const { traceCount, ...others } = toBucket(totals)
  return {
    name: key.slice(1),
    isRest: key === '',
    requestCount: traceCount,
    ...others,
  } satisfies MessageInitShape<typeof MetricsGroupSchema>
}

function toGroupBucket(
  { interval, count, inputTokens, outputTokens, costNanoUsd }: ModelInterval,
  buckets: BucketRange,
): MessageInitShape<typeof MetricsGroupBucketSchema> {
  return {
    startTime: toTimestamp(bucketStart(buckets, interval)),
    requestCount: BigInt(count),
    inputTokens: toInt64(inputTokens),
    outputTokens: toInt64(outputTokens),
    costUsd: toDollars(costNanoUsd),
  }
}

function toBucket(totals: Totals) {
  return {
    traceCount: BigInt(totals.count),
    ...measuredTotals(totals),
  } satisfies MessageInitShape<typeof MetricsBucketSchema>
}
