import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toDeployJson } from './mapping.ts'
import { runDeploy } from './run-deploy.ts'
import { DeployResult, PartialResult, RollbackBody, WaitQuery } from './schemas.ts'

/** `POST /agents/{account}/{name}/deployment/rollback`: deploys an earlier revision again. */
export function addRollbackRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/agents/:account/:name/deployment/rollback',
    {
      config: { waitsLong: true },
      schema: {
        operationId: 'rollback',
        summary: 'Roll back to an earlier revision',
        description:
          'Creates a revision that is a copy of the earlier one: of the newest one that was ever ' +
          'ready and differs, if the request names none. The next deploy uses the newest build ' +
          'again, unless its `build_id` is `current`.',
        tags: ['deployments'],
        params: AgentPath,
        querystring: WaitQuery,
        body: RollbackBody,
        response: {
          200: DeployResult,
          207: PartialResult,
          ...problems(400, 401, 403, 404, 409, 413, 415, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const revision = request.body?.revision
      const waitMs = request.query.wait * 1000
      const value = { ...request.params, ...(revision === undefined ? {} : { revision }) }
      const call = { operation: { case: 'rollback', value }, waitMs } as const
      const result = await runDeploy(clients, call, request, reply)
      const answer = toDeployJson(result, request.params.account)
      return await reply.code(answer.status === 'success' ? 200 : 207).send(answer)
    },
  )
}
