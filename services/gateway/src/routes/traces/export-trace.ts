import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { exportResponse, FormatQuery, sendExport } from './export-stream.ts'
import { TracePath } from './trace-schemas.ts'

/** `GET /agents/{account}/{name}/observability/traces/{trace_id}/export`: a trace as a file. */
export function addExportTraceRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/traces/:trace_id/export',
    {
      // A HEAD would start a stream that is never read.
      exposeHeadRoute: false,
      config: { waitsLong: true },
      schema: {
        operationId: 'exportTrace',
        summary: 'A trace as a file',
        description: 'What is stored of its spans, in the format of OTLP or as a line of JSON.',
        tags: ['observability'],
        params: TracePath,
        querystring: FormatQuery,
        response: { 200: exportResponse, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, name, trace_id: traceId } = request.params
      const traces = [{ account, name, traceId: traceId.toLowerCase() }]
      return await sendExport(request, reply, clients, { traces, format: request.query.format })
    },
  )
}
