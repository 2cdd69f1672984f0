import { Type } from 'typebox'

import type { App } from '../../http/app-type.ts'
import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import { problemOf, sendProblem } from '../../http/plugins/error-handling.ts'
import { needsToken, problems } from '../../http/schemas.ts'
import { DeployBody, Invalid, Valid } from './schemas.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { invalidDeployment } from './invalid-deployment.ts'
import { toDeployTarget } from './mapping.ts'

/** `POST /deploy/validate`: checks a deploy, does nothing. */
export function addValidateDeploymentRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deploy/validate',
    {
      config: { ignoresIdempotencyKey: true },
      // Whoever finds what is wrong, the schema, the parser or the deployer: the answer is no.
      errorHandler: (error, request, reply) => {
        const problem = problemOf(error, request)
        if (problem.status !== 400) throw error
        void sendProblem(request, reply, problem, { valid: false })
      },
      schema: {
        operationId: 'validateDeployment',
        summary: 'Validate a deployment request without applying it',
        tags: ['deployments'],
        security: needsToken,
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Literal('server', { description: 'Ask the cluster as well' }),
          ),
        }),
        body: DeployBody,
        response: { 200: Valid, 400: Invalid, ...problems(401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const target = toDeployTarget(request.body)
      const dryRunServer = request.query.dry_run === 'server'
      const checked = await clients.deployments.validateDeployment(
        { target, dryRunServer },
        // The cluster is asked about every object, as by a deploy.
        callFor(request, reply, dryRunServer ? DEPLOY_TIMEOUT_MS : undefined),
      )
      if (!checked.valid) throw invalidDeployment(checked.violations)
      return {
        valid: true as const,
        build_id: checked.buildId,
        name: checked.name,
        ...(dryRunServer ? { warnings: checked.warnings } : {}),
      }
    },
  )
}
