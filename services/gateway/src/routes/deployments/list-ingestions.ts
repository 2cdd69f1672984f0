import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { IngestionList, toIngestionJson } from './ingestion-schemas.ts'

/** `GET /agents/{account}/{name}/deployment/ingestions`: schedules, next and last runs. */
export function addListIngestionsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/ingestions',
    {
      schema: {
        operationId: 'listIngestions',
        summary: 'Ingestions of a deployment',
        description: 'With their next and last runs.',
        tags: ['deployments'],
        params: AgentPath,
        response: {
          200: IngestionList,
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { ingestions } = await clients.ingestions.listIngestions(
        request.params,
        callFor(request, reply),
      )
      return { ingestions: ingestions.map(toIngestionJson), count: ingestions.length }
    },
  )
}
