import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { StrictQuery, unknownFields } from '../../http/requests/unknown-fields.ts'
import { withAllViolations } from './invalid-deployment.ts'
import { toDeployJson, toDeployTarget } from './mapping.ts'
import { runDeploy } from './run-deploy.ts'
import { DeployBody, DeployResult, PartialResult, WaitQuery } from './schemas.ts'

/** `POST /deploy`: 200 if the cluster accepted all objects, 207 if it rejected some. */
export function addDeployRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deploy',
    {
      config: { waitsLong: true },
      schema: {
        operationId: 'deploy',
        summary: 'Deploy a build of an agent',
        description:
          'Creates or updates the namespace with all objects of the agent. 200: the cluster ' +
          'accepted all objects. 207: it rejected some, or the rollout was not ready in time; ' +
          '`errors` says why, and the next deploy repairs it. Credentials, interfaces, ' +
          'schedules and overrides that are left out stay as they are. `build_choice` says why ' +
          'the build was chosen.',
        tags: ['deployments'],
        querystring: Type.Interface([WaitQuery, StrictQuery], {}),
        body: DeployBody,
        response: {
          200: DeployResult,
          207: PartialResult,
          ...problems(400, 401, 403, 404, 409, 413, 415, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const waitMs = request.query.wait * 1000
      const warnings = unknownFields(request)
      const target = toDeployTarget(request.body, request.query)
      const call = { operation: { case: 'deploy', value: target }, waitMs } as const
      const result = await runDeploy(clients, call, request, reply).catch(
        async (error: unknown) => {
          const validate = () =>
            clients.deployments.validateDeployment({ target }, callFor(request, reply))
          throw await withAllViolations(error, validate)
        },
      )
      const answer = toDeployJson(result, request.body.account, warnings)
      return await reply.code(answer.status === 'success' ? 200 : 207).send(answer)
    },
  )
}
