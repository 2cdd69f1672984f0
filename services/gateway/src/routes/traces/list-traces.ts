import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toTimeRange, toTraceJson } from './mapping.ts'
import { TraceList, TraceQuery } from './schemas.ts'

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
      const { limit, offset, status, build_id: buildId = '', q: query = '' } = request.query
      const { traces, total } = await clients.traces.listTraces(
        {
          ...request.params,
          range: toTimeRange(request.query),
          status: status === undefined ? TraceStatus.UNSPECIFIED : STATUS_VALUES[status],
          buildId,
          query,
          pageSize: limit,
          skip: offset,
        },
        callFor(request, reply),
      )
      return { traces: traces.map(toTraceJson), total, limit, offset }
    },
  )
}
