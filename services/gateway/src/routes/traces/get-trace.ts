import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { exactJson } from '../../http/responses/exact-json.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { Trace, TracePath } from './trace-schemas.ts'
import { toTraceAnswer } from './trace-json.ts'

/** `GET /agents/{account}/{name}/observability/traces/{trace_id}`: a trace with its span tree. */
export function addGetTraceRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/traces/:trace_id',
    {
      schema: {
        operationId: 'getTrace',
        summary: 'A trace of an agent with its spans',
        description: 'The spans as trees. Large traces are truncated.',
        tags: ['observability'],
        params: TracePath,
        response: { 200: Trace, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, name, trace_id: traceId } = request.params
      const stored = await clients.traces.getTrace(
        { account, name, traceId: traceId.toLowerCase() },
        callFor(request, reply),
      )
      // A serializer can't be built for a recursive schema, and attributes can be integers that a
      // double can't represent.
      return await reply
        .type('application/json; charset=utf-8')
        .serializer(exactJson)
        .send(toTraceAnswer(stored) as never)
    },
  )
}
