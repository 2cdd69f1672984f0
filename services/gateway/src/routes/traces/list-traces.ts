import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toTimeRange, toTraceEntryJson } from './mapping.ts'
import { TraceList, TraceQuery } from './list-schemas.ts'

const STATUS_VALUES = { ok: TraceStatus.OK, error: TraceStatus.ERROR } as const

/** `GET /agents/{account}/{name}/observability/traces`: traces, newest first. */
export function addListTracesRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/traces',
    {
      schema: {
        operationId: 'listTraces',
        summary: 'Traces of an agent',
        description: 'The newest first, of all builds of the agent.',
        tags: ['observability'],
        params: AgentPath,
        querystring: TraceQuery,
        response: { 200: TraceList, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { limit, offset, status, q: query = '', ...filter } = request.query
      const { traces, total } = await clients.traces.listTraces(
        {
          ...request.params,
          range: toTimeRange(request.query),
          status: status === undefined ? TraceStatus.UNSPECIFIED : STATUS_VALUES[status],
          query,
          buildId: filter.build_id ?? '',
          sessionId: filter.session_id ?? '',
          userId: filter.user_id ?? '',
          model: filter.model ?? '',
          tool: filter.tool ?? '',
          minTokens: BigInt(filter.min_tokens ?? 0),
          minLatencyMs: filter.min_latency_ms ?? 0,
          ...(filter.max_tokens === undefined ? {} : { maxTokens: BigInt(filter.max_tokens) }),
          ...(filter.has_errors === undefined ? {} : { hasErrors: filter.has_errors }),
          pageSize: limit,
          skip: offset,
        },
        callFor(request, reply),
      )
      return { traces: traces.map(toTraceEntryJson), total, limit, offset }
    },
  )
}
