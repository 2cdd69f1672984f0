import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/problem-schemas.ts'
import { toTimeText } from '../../http/time.ts'
import { AgentPath } from '../path-parameters.ts'
import { toTimeRange, toTimeRangeJson } from './mapping.ts'
import { Metrics, MetricsQuery } from './schemas.ts'

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
      const { buckets, range, intervalMinutes } = await clients.traces.getMetrics(
        {
          ...request.params,
          range: toTimeRange(request.query),
          intervalMinutes: request.query.interval,
        },
        callFor(request, reply),
      )
      return {
        buckets: buckets.map((bucket) => ({
          timestamp: toTimeText(bucket.startTime),
          trace_count: bucket.traceCount,
          avg_latency_ms: bucket.avgLatencyMs,
          p95_latency_ms: bucket.p95LatencyMs,
          input_tokens: bucket.inputTokens,
          output_tokens: bucket.outputTokens,
          error_count: bucket.errorCount,
        })),
        time_range: toTimeRangeJson(range),
        interval_minutes: intervalMinutes,
      }
    },
  )
}
