import { Type } from 'typebox'

import type { App } from '../../http/app-type.ts'
import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import { exactJson } from '../../http/exact-json.ts'
import { HttpProblem } from '../../http/problem.ts'
import { needsToken, problems } from '../../http/schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { TraceTree } from './schemas.ts'
import { toSpanTrees, toTraceJson } from './mapping.ts'

/**
 * `GET /agents/{account}/{name}/observability/traces/{trace_id}`: one trace with its spans as a
 * tree.
 */
export function addTraceRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/traces/:trace_id',
    {
      schema: {
        operationId: 'getTrace',
        summary: 'One trace of an agent, span by span',
        tags: ['observability'],
        security: needsToken,
        params: Type.Interface([AgentPath], {
          trace_id: Type.String({
            pattern: '^[0-9a-fA-F]{32}$',
            description: 'Trace id, 32 hexadecimal digits',
          }),
        }),
        response: { 200: TraceTree, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, name, trace_id: traceId } = request.params
      const { trace, spans, spanCount, isTruncated, inputTokens, outputTokens } =
        await clients.traces.getTrace(
          { account, name, traceId: traceId.toLowerCase() },
          callFor(request, reply),
        )
      if (trace === undefined) throw new HttpProblem(404, 'trace_not_found', 'trace not found')
      const answer = {
        ...toTraceJson(trace),
        span_count: spanCount,
        truncated: isTruncated,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        spans: toSpanTrees(spans),
      }
      // A tree has no end that a schema's serialiser could know, and holds whole numbers beyond a
      // double's.
      return await reply
        .type('application/json; charset=utf-8')
        .serializer(exactJson)
        .send(answer as never)
    },
  )
}
