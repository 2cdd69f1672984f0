import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { Ingestion, IngestionPath, toIngestionJson } from './ingestion-schemas.ts'

const ACTIONS = [
  {
    action: 'suspend',
    operationId: 'suspendIngestion',
    summary: 'Suspend the schedule of an ingestion',
    description: 'Deploys and rollbacks keep it suspended. Runs that have started continue.',
    suspended: true,
  },
  {
    action: 'resume',
    operationId: 'resumeIngestion',
    summary: 'Resume the schedule of an ingestion',
    description: 'If a run was due meanwhile, one starts immediately.',
    suspended: false,
  },
]

/** `POST …/deployment/ingestions/{ingestion}/suspend` and `…/resume`. */
export function addSuspendIngestionRoutes(app: App, { clients }: GatewayContext): void {
  for (const { action, suspended, ...described } of ACTIONS) {
    app.post(
      `/api/v1/agents/:account/:name/deployment/ingestions/:ingestion/${action}`,
      {
        config: { waitsLong: true },
        schema: {
          ...described,
          tags: ['deployments'],
          params: IngestionPath,
          response: { 200: Ingestion, ...problems(400, 401, 403, 404, 409, 500, 503) },
        },
      },
      async (request, reply) => {
        const { ingestion } = await clients.ingestions.suspendIngestion(
          { ...request.params, suspended },
          callFor(request, reply, DEPLOY_TIMEOUT_MS),
        )
        return toIngestionJson(ingestion)
      },
    )
  }
}
