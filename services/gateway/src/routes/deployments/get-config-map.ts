import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { Text } from '../../http/schemas/kinds.ts'
import { Namespace } from '../names.ts'
import { ConfigMap, OwnerQuery } from './workload-schemas.ts'

/** `GET /deployments/{namespace}/configmap/{cmname}`: the data of a config map. */
export function addGetConfigMapRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/deployments/:namespace/configmap/:cmname',
    {
      schema: {
        operationId: 'getConfigMap',
        summary: 'Data of a configuration map',
        description: 'Only the configuration maps of the deployment can be read.',
        tags: ['deployments'],
        params: Type.Object({
          namespace: Namespace,
          cmname: Text('Config map name'),
        }),
        querystring: OwnerQuery,
        response: {
          200: ConfigMap,
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { namespace, cmname } = request.params
      const { account } = request.query
      const map = await clients.workloads.getConfigMap(
        { account, namespace, name: cmname },
        callFor(request, reply),
      )
      return { name: map.name, namespace: map.namespace, data: map.data }
    },
  )
}
