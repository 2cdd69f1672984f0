import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { NEEDS_TOKEN, problems, Text } from '../../http/schemas.ts'
import { OwnerQuery } from './schemas.ts'

/**
 * `POST /deployments/{namespace}/pods/{pod}/restart`: deletes a pod, which the cluster recreates.
 */
export function addRestartPodRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deployments/:namespace/pods/:pod/restart',
    {
      schema: {
        operationId: 'restartPod',
        summary: 'Restart a pod',
        tags: ['deployments'],
        security: NEEDS_TOKEN,
        params: Type.Object({
          namespace: Text('Namespace of the deployment'),
          pod: Text('Pod name'),
        }),
        querystring: OwnerQuery,
        response: {
          200: Type.Object({ status: Type.Literal('restarting'), pod: Type.String() }),
          ...problems(400, 401, 403, 404, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { namespace, pod } = request.params
      const { account } = request.query
      const answer = await clients.workloads.restartPod(
        { account, namespace, pod },
        callFor(request, reply),
      )
      return { status: 'restarting' as const, pod: answer.pod }
    },
  )
}
