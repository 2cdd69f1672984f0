import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toSessionJson, toTimeRange } from './mapping.ts'
import { SessionList, SessionQuery } from './session-schemas.ts'

/** `GET /agents/{account}/{name}/observability/sessions`: conversations, newest first. */
export function addListSessionsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'Sessions of an agent',
        description:
          'A session consists of the traces with the same session id. Only those that started in ' +
          'the time range count.',
        tags: ['observability'],
        params: AgentPath,
        querystring: SessionQuery,
        response: { 200: SessionList, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const {
        limit,
        offset,
        q: query = '',
        user_id: userId = '',
        has_errors: hasErrors,
      } = request.query
      const { sessions, total, isTokenEstimate } = await clients.traces.listSessions(
        {
          ...request.params,
          range: toTimeRange(request.query),
          userId,
          query,
          pageSize: limit,
          skip: offset,
          ...(hasErrors === undefined ? {} : { hasErrors }),
        },
        callFor(request, reply),
      )
      return {
        sessions: sessions.map(toSessionJson),
        tokens_estimated: isTokenEstimate,
        total,
        limit,
        offset,
      }
    },
  )
}
