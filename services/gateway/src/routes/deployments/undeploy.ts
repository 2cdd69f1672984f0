import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toTimeText } from '../../http/requests/time.ts'
import { UndeployBody, UndeployResult } from './schemas.ts'

const UNDEPLOY_TIMEOUT_MS = 45_000

/** `POST /undeploy`: removes a deployment with its namespace. */
export function addUndeployRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/undeploy',
    {
      config: { waitsLong: true },
      schema: {
        operationId: 'undeploy',
        summary: 'Remove a deployment',
        description:
          'Deletes the namespace with everything in it, volumes included. The history of ' +
          'revisions stays.',
        tags: ['deployments'],
        body: UndeployBody,
        response: { 200: UndeployResult, ...problems(400, 401, 403, 404, 409, 413, 415, 500, 503) },
      },
    },
    async (request, reply) => {
      const { account, name } = request.body
      const response = await clients.deployments.undeploy(
        { account, name },
        callFor(request, reply, UNDEPLOY_TIMEOUT_MS),
      )
      return {
        status: 'success' as const,
        name: response.name,
        build_id: response.buildId,
        k8s_namespace: response.k8sNamespace,
        undeployed_at: toTimeText(response.undeployTime),
      }
    },
  )
}
