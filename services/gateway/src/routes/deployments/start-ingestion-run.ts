import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { IngestionPath, IngestionRun, toRunJson } from './ingestion-schemas.ts'

/** `POST /agents/{account}/{name}/deployment/ingestions/{ingestion}/runs`: runs it now. */
export function addStartIngestionRunRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/deployment/ingestions/:ingestion/runs',
    {
      config: { waitsLong: true },
      schema: {
        operationId: 'startIngestionRun',
        summary: 'Run an ingestion now',
        description:
          'Works for every trigger but webhook. Only manual ingestions may overlap (409). ' +
          'The number of runs of an account at the same time is limited (429).',
        tags: ['deployments'],
        params: IngestionPath,
        response: { 200: IngestionRun, ...problems(400, 401, 403, 404, 409, 500, 503) },
      },
    },
    async (request, reply) => {
      const { run } = await clients.ingestions.startIngestionRun(
        request.params,
        callFor(request, reply, DEPLOY_TIMEOUT_MS),
      )
      return toRunJson(run)
    },
  )
}
