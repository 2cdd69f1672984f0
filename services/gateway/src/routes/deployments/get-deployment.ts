import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { HttpProblem } from '../../http/problem.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toFailureJson } from './failure-mapping.ts'
import { toDeploymentJson } from './mapping.ts'
import { Deployment } from './state-schemas.ts'

/** `GET /agents/{account}/{name}/deployment`: the state of the account's deployment of an agent. */
export function addGetDeploymentRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment',
    {
      schema: {
        operationId: 'getDeployment',
        summary: 'State of a deployment',
        description: 'Its components and pods, and why they are not ready.',
        tags: ['deployments'],
        params: AgentPath,
        response: { 200: Deployment, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { deployment, failures, warnings } = await clients.deployments.getDeployment(
        request.params,
        callFor(request, reply),
      )
      if (deployment === undefined)
        throw new HttpProblem(404, 'deployment_not_found', 'deployment not found')
      const failed = { account: request.params.account, namespace: deployment.k8sNamespace }
      return {
        ...toDeploymentJson(deployment),
        ...(failures.length === 0
          ? {}
          : { failures: failures.map((failure) => toFailureJson(failure, failed)) }),
        ...(warnings.length === 0 ? {} : { warnings }),
      }
    },
  )
}
