import { durationFromMs } from '@bufbuild/protobuf/wkt'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { NEEDS_TOKEN, problems } from '../../http/schemas.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { withAllViolations } from './invalid-deployment.ts'
import { toDeployJson, toDeployTarget } from './mapping.ts'
import { DeployBody, DeployResult, WaitQuery } from './schemas.ts'

/** `POST /deploy`: 200 if the cluster accepted all objects, 207 if it rejected some. */
export function addDeployRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deploy',
    {
      config: { waitsLong: true },
      schema: {
        operationId: 'deploy',
        summary: 'Deploy the latest build of an agent',
        tags: ['deployments'],
        security: NEEDS_TOKEN,
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
      const target = toDeployTarget(request.body)
      const { result } = await clients.deployments
        .deploy(
          { target, wait: durationFromMs(waitMs) },
          callFor(request, reply, DEPLOY_TIMEOUT_MS + waitMs),
        )
        .catch(async (error: unknown) => {
          const validate = () =>
            clients.deployments.validateDeployment({ target }, callFor(request, reply))
          throw await withAllViolations(error, validate)
        })
      const answer = toDeployJson(result)
      return await reply.code(answer.status === 'success' ? 200 : 207).send(answer)
    },
  )
}
