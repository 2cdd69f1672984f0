import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { Text } from '../../http/schemas/kinds.ts'
import { Namespace } from '../names.ts'
import { OwnerQuery, Restarted } from './workload-schemas.ts'

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
        description:
          'Deletes the pod; the cluster recreates it. Only pods of the deployment can be ' +
          'restarted.',
        tags: ['deployments'],
        params: Type.Object({
          namespace: Namespace,
          pod: Text('Pod name'),
        }),
        querystring: OwnerQuery,
        response: {
          200: Restarted,
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
