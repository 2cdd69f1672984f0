import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toListRequest } from './list-request.ts'
import { TraceList, TraceQuery } from './list-schemas.ts'
import { toTraceEntryJson } from './mapping.ts'

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
      const { limit, offset } = request.query
      const { traces, total } = await clients.traces.listTraces(
        { ...request.params, ...toListRequest(request.query) },
        callFor(request, reply),
      )
      return { traces: traces.map(toTraceEntryJson), total, limit, offset }
    },
  )
}
