import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'

import type { App } from '../app.ts'
import { callFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { AgentPath, needsToken, problems } from '../schemas/common.ts'
import { TraceList, TraceQuery } from '../schemas/trace.ts'
import { fromTimeText, toTimeText } from '../time.ts'

const STATUS_VALUES = { ok: TraceStatus.OK, error: TraceStatus.ERROR } as const

/** `GET /agents/{account}/{name}/observability/traces`: what the agent did, newest first. */
export function addTracesRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/traces',
    {
      schema: {
        summary: 'Traces of an agent',
        tags: ['observability'],
        security: needsToken,
        params: AgentPath,
        querystring: TraceQuery,
        response: { 200: TraceList, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { start_time: startTime, end_time: endTime, limit, offset, status } = request.query
      const start = fromTimeText('start_time', startTime)
      const end = fromTimeText('end_time', endTime)
      const { traces, total } = await clients.traces.listTraces(
        {
          ...request.params,
          range: { ...(start && { start }), ...(end && { end }) },
          status: status === undefined ? TraceStatus.UNSPECIFIED : STATUS_VALUES[status],
          limit,
          offset,
        },
        callFor(request, reply),
      )
      return {
        traces: traces.map((trace) => ({
          trace_id: trace.traceId,
          name: trace.name,
          status: trace.status === TraceStatus.ERROR ? ('error' as const) : ('ok' as const),
          latency_ms: trace.latencyMs,
          input: trace.input,
          output: trace.output,
          timestamp: toTimeText(trace.startTime),
        })),
        total: Number(total),
        limit,
        offset,
      }
    },
  )
}
