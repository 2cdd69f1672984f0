import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { toDeploymentJson } from './mapping.ts'
import { DeploymentList, PageQuery } from './state-schemas.ts'
import { OwnerQuery } from './workload-schemas.ts'

/** `GET /deployments?account=`: the live deployments of an account. */
export function addListDeploymentsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/deployments',
    {
      schema: {
        operationId: 'listDeployments',
        summary: 'Deployments of an account',
        description: 'The live deployments without their pods.',
        tags: ['deployments'],
        querystring: Type.Interface([OwnerQuery, PageQuery], {}),
        response: { 200: DeploymentList, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, limit, cursor = '' } = request.query
      const page = { account, pageSize: limit, pageToken: cursor }
      const { deployments, nextPageToken } = await clients.deployments.listDeployments(
        page,
        callFor(request, reply),
      )
      return {
        deployments: deployments.map(toDeploymentJson),
        count: deployments.length,
        ...(nextPageToken === '' ? {} : { next_cursor: nextPageToken }),
      }
    },
  )
}
