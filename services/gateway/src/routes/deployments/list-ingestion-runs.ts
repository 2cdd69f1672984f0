import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { IngestionPath, IngestionRunList, RunPageQuery, toRunJson } from './ingestion-schemas.ts'

/** `GET /agents/{account}/{name}/deployment/ingestions/{ingestion}/runs`: its runs. */
export function addListIngestionRunsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/ingestions/:ingestion/runs',
    {
      schema: {
        operationId: 'listIngestionRuns',
        summary: 'Runs of an ingestion',
        description: 'The last 100 runs are kept.',
        tags: ['deployments'],
        params: IngestionPath,
        querystring: RunPageQuery,
        response: {
          200: IngestionRunList,
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { limit, cursor = '' } = request.query
      const { runs, nextPageToken } = await clients.ingestions.listIngestionRuns(
        { ...request.params, pageSize: limit, pageToken: cursor },
        callFor(request, reply),
      )
      return {
        runs: runs.map(toRunJson),
        count: runs.length,
        ...(nextPageToken === '' ? {} : { next_cursor: nextPageToken }),
      }
    },
  )
}
