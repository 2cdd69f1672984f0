import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toTimeRange, toTimeRangeJson } from './mapping.ts'
import { Summary } from './metrics-schemas.ts'
import { RangeQuery } from './schemas.ts'

/** `GET /agents/{account}/{name}/observability/summary`: latency, error rate and throughput. */
export function addGetSummaryRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/summary',
    {
      schema: {
        operationId: 'getSummary',
        summary: 'Summary of an agent',
        description: 'Latency, error rate and throughput over the time range.',
        tags: ['observability'],
        params: AgentPath,
        querystring: RangeQuery,
        response: { 200: Summary, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const question = { ...request.params, range: toTimeRange(request.query) }
      const summary = await clients.traces.getSummary(question, callFor(request, reply))
      return {
        total_traces: summary.totalTraces,
        time_range: toTimeRangeJson(summary.range),
        metrics: {
          avg_latency_ms: summary.avgLatencyMs,
          p50_latency_ms: summary.p50LatencyMs,
          p95_latency_ms: summary.p95LatencyMs,
          p99_latency_ms: summary.p99LatencyMs,
          total_tokens: summary.totalTokens,
          input_tokens: summary.inputTokens,
          output_tokens: summary.outputTokens,
          cached_tokens: summary.cachedTokens,
          ...(summary.costUsd === 0 ? {} : { cost_usd: summary.costUsd }),
          ...(summary.firstTokenMs === 0 ? {} : { first_token_ms: summary.firstTokenMs }),
          tokens_estimated: summary.isTokenEstimate,
          error_count: summary.errorCount,
          error_rate: summary.errorRate,
          traces_per_hour: summary.tracesPerHour,
        },
      }
    },
  )
}
