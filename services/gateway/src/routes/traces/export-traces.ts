import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { withParameters } from '../../http/requests/with-parameters.ts'
import { AgentPath } from '../path-parameters.ts'
import { exportResponse, FormatQuery, sendExport } from './export-stream.ts'
import { toListRequest } from './list-request.ts'
import { toTimeRangeJson } from './mapping.ts'
import { MAX_OFFSET, TraceQuery } from './list-schemas.ts'

/** `GET /agents/{account}/{name}/observability/traces/export`: a list of traces as a file. */
export function addExportTracesRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/observability/traces/export',
    {
      // A HEAD would start a stream that is never read.
      exposeHeadRoute: false,
      config: { waitsLong: true },
      schema: {
        operationId: 'exportTraces',
        summary: 'Traces of an agent as a file',
        description:
          'The traces that the list of traces has for the same parameters, with what is stored ' +
          'of their spans. If there are more, the header `Link` has the URL of the next ones, ' +
          'with `rel="next"` and the same range of time. If an error interrupts the export, the ' +
          'connection is closed before the end of the response.',
        tags: ['observability'],
        params: AgentPath,
        querystring: Type.Interface([TraceQuery, FormatQuery], {}),
        response: { 200: exportResponse, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { limit, offset, format } = request.query
      const { account, name } = request.params
      const page = await clients.traces.listTraces(
        { account, name, ...toListRequest(request.query), onlyIds: true },
        callFor(request, reply),
      )
      const next = offset + page.traces.length
      if (page.traces.length === limit && BigInt(next) < page.total && next <= MAX_OFFSET) {
        const { start, end } = toTimeRangeJson(page.range)
        const { start_time = start, end_time = end } = request.query
        const url = withParameters(request.url, { start_time, end_time, offset: String(next) })
        reply.header('link', `<${url}>; rel="next"`)
      }
      const traces = page.traces.map(({ traceId }) => ({ account, name, traceId }))
      return await sendExport(request, reply, clients, { traces, format })
    },
  )
}
