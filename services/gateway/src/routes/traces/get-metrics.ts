import type {
  MetricsGroup,
  MetricsGroupBucket,
} from '@slipway/proto/slipway/observability/v1/metrics_group'
import { MetricsGrouping, type MetricsBucket } from '@slipway/proto/slipway/observability/v1/trace'
import { valueOf } from '@slipway/shared/enum-names'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toTimeText } from '../../http/requests/time.ts'
import { AgentPath } from '../path-parameters.ts'
import { toTimeRange, toTimeRangeJson } from './mapping.ts'
import { Metrics, MetricsQuery } from './metrics-schemas.ts'

/** `GET /agents/{account}/{name}/observability/metrics`: metrics in time buckets. */
export function addGetMetricsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics of an agent in time buckets',
        description: 'Buckets are aligned to the epoch. A range has at most 5,000 of them.',
        tags: ['observability'],
        params: AgentPath,
        querystring: MetricsQuery,
        response: { 200: Metrics, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { interval, group_by: groupBy, group_buckets: groupBuckets } = request.query
      const { buckets, groups, newBuilds, isTokenEstimate, range, intervalMinutes } =
        await clients.traces.getMetrics(
          {
            ...request.params,
            range: toTimeRange(request.query),
            intervalMinutes: interval,
            groupBy:
              groupBy === undefined
                ? MetricsGrouping.UNSPECIFIED
                : valueOf(MetricsGrouping, groupBy),
            groupBuckets,
          },
          callFor(request, reply),
        )
      return {
        buckets: buckets.map((bucket) => ({
          timestamp: toTimeText(bucket.startTime),
          trace_count: bucket.traceCount,
          ...toTotalsJson(bucket),
        })),
        ...(groupBy === undefined
          ? {}
          : {
              groups: groups.map((group) => ({
                ...(group.isRest ? {} : { name: group.name }),
                request_count: group.requestCount,
                ...toTotalsJson(group),
                ...(groupBuckets ? { buckets: group.buckets.map(toGroupBucketJson) } : {}),
              })),
            }),
        ...(groupBy !== 'build'
          ? {}
          : {
              new_builds: newBuilds.map(({ buildId, firstStartTime }) => ({
                build_id: buildId,
                timestamp: toTimeText(firstStartTime),
              })),
            }),
        tokens_estimated: isTokenEstimate,
        time_range: toTimeRangeJson(range),
        interval_minutes: intervalMinutes,
      }
    },
  )
}

function toGroupBucketJson({ startTime, costUsd, ...calls }: MetricsGroupBucket) {
  return {
    timestamp: toTimeText(startTime),
    request_count: calls.requestCount,
    input_tokens: calls.inputTokens,
    output_tokens: calls.outputTokens,
    ...(costUsd === 0 ? {} : { cost_usd: costUsd }),
  }
}

function toTotalsJson(totals: MetricsBucket | MetricsGroup) {
  return {
    avg_latency_ms: totals.avgLatencyMs,
    p50_latency_ms: totals.p50LatencyMs,
    p95_latency_ms: totals.p95LatencyMs,
    p99_latency_ms: totals.p99LatencyMs,
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cached_tokens: totals.cachedTokens,
    ...(totals.costUsd === 0 ? {} : { cost_usd: totals.costUsd }),
    ...(totals.firstTokenMs === 0 ? {} : { first_token_ms: totals.firstTokenMs }),
    error_count: totals.errorCount,
  }
}
