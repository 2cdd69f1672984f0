import { durationFromMs } from '@bufbuild/protobuf/wkt'

import type { App } from '../../http/app-type.ts'
import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import { needsToken, problems } from '../../http/schemas.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { DeployBody, DeployResult, WaitQuery } from './schemas.ts'
import { toDeployJson, toDeployTarget } from './mapping.ts'

/** `POST /deploy`: 200 when everything was accepted, 207 when some of it wasn't. */
export function addDeployRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deploy',
    {
      schema: {
        operationId: 'deploy',
        summary: 'Deploy the latest build of an agent',
        tags: ['deployments'],
        security: needsToken,
        querystring: WaitQuery,
        body: DeployBody,
        response: {
          200: DeployResult,
          207: DeployResult,
          ...problems(400, 401, 403, 404, 409, 413, 415, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const waitMs = request.query.wait * 1000
      const { result } = await clients.deployments.deploy(
        { target: toDeployTarget(request.body), wait: durationFromMs(waitMs) },
        callFor(request, reply, DEPLOY_TIMEOUT_MS + waitMs),
      )
      const answer = toDeployJson(result)
      return await reply.code(answer.status === 'success' ? 200 : 207).send(answer)
    },
  )
}
