import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { IngestionRun, IngestionRunPath, toRunJson } from './ingestion-schemas.ts'

/** `POST …/deployment/ingestions/{ingestion}/runs/{run}/cancel`: ends a run. */
export function addCancelIngestionRunRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/deployment/ingestions/:ingestion/runs/:run/cancel',
    {
      schema: {
        operationId: 'cancelIngestionRun',
        summary: 'Cancel a run of an ingestion',
        description: 'Deletes its Job and pods. A run that has ended is returned as it is.',
        tags: ['deployments'],
        params: IngestionRunPath,
        response: { 200: IngestionRun, ...problems(400, 401, 403, 404, 500, 503) },
      },
    },
    async (request, reply) => {
      const { run } = await clients.ingestions.cancelIngestionRun(
        request.params,
        callFor(request, reply),
      )
      return toRunJson(run)
    },
  )
}
