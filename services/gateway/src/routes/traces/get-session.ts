import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { HttpProblem } from '../../http/problem.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { PageQuery } from './list-schemas.ts'
import { toSessionJson, toTraceEntryJson } from './mapping.ts'
import { Session } from './session-schemas.ts'

/** `GET /agents/{account}/{name}/observability/sessions/{session_id}`: one with its turns. */
export function addGetSessionRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/sessions/:session_id',
    {
      schema: {
        operationId: 'getSession',
        summary: 'A session of an agent with its turns',
        description: 'All turns that are kept, oldest first.',
        tags: ['observability'],
        params: Type.Interface([AgentPath], {
          session_id: Type.String({
            minLength: 1,
            maxLength: 256,
            description: 'Id of the session, percent-encoded',
          }),
        }),
        querystring: PageQuery,
        response: { 200: Session, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, name, session_id: sessionId } = request.params
      const { limit, offset } = request.query
      const { session, turns, isTokenEstimate } = await clients.traces.getSession(
        { account, name, sessionId, pageSize: limit, skip: offset },
        callFor(request, reply),
      )
      if (session === undefined)
        throw new HttpProblem(404, 'session_not_found', 'session not found')
      return {
        ...toSessionJson(session),
        turns: turns.map(toTraceEntryJson),
        tokens_estimated: isTokenEstimate,
        limit,
        offset,
      }
    },
  )
}
