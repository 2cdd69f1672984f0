import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { problemOf, sendProblem } from '../../http/problems/send-problem.ts'
import { StrictQuery, unknownFields } from '../../http/requests/unknown-fields.ts'
import { toChosenBuildJson } from '../build-choice.ts'
import { DEPLOY_TIMEOUT_MS } from './deploy-timeout.ts'
import { invalidDeployment } from './invalid-deployment.ts'
import { toImageJson } from './image-checks.ts'
import { toDeployTarget } from './mapping.ts'
import { toPlannedJson } from './plan-json.ts'
import { DeployBody } from './schemas.ts'
import { Invalid, Valid } from './validation-schemas.ts'

/** `POST /deploy/validate`: checks a deploy without executing it. */
export function addValidateDeploymentRoute(app: App, { clients }: GatewayContext): void {
  app.post(
    '/api/v1/deploy/validate',
    {
      config: { ignoresIdempotencyKey: true },
      // Every 400 contains `valid: false`, whether the schema, the parser or the deployer found the
      // problem.
      errorHandler: (error, request, reply) => {
        const problem = problemOf(error, request)
        if (problem.status !== 400) throw error
        void sendProblem(request, reply, problem, { valid: false })
      },
      schema: {
        operationId: 'validateDeployment',
        summary: 'Validate a deployment request without applying it',
        description:
          'Checks everything that a deploy checks before it changes the cluster, and reports ' +
          'all problems together. A credential that is stored for the deployment counts as ' +
          'given.',
        tags: ['deployments'],
        querystring: Type.Interface([StrictQuery], {
          dry_run: Type.Optional(
            Type.Literal('server', {
              description: 'Also ask the cluster and the registries, and return a plan',
            }),
          ),
        }),
        body: DeployBody,
        response: { 200: Valid, 400: Invalid, ...problems(401, 403, 404, 413, 415, 503) },
      },
    },
    async (request, reply) => {
      const unknown = unknownFields(request)
      const target = toDeployTarget(request.body, request.query)
      const dryRunServer = request.query.dry_run === 'server'
      const checked = await clients.deployments.validateDeployment(
        { target, dryRunServer },
        // A dry run sends every object to the cluster, so it takes as long as a deploy.
        callFor(request, reply, dryRunServer ? DEPLOY_TIMEOUT_MS : undefined),
      )
      if (!checked.valid) throw invalidDeployment(checked)
      const warnings = [...unknown, ...checked.warnings]
      return {
        valid: true as const,
        build_id: checked.buildId,
        ...toChosenBuildJson(checked),
        name: checked.name,
        // An earlier release of the deployer doesn't return it.
        ...(checked.sourceAccountId !== '' && { source_account_id: checked.sourceAccountId }),
        ...(dryRunServer || warnings.length > 0 ? { warnings } : {}),
        ...(dryRunServer
          ? { plan: checked.plan.map(toPlannedJson), images: checked.images.map(toImageJson) }
          : {}),
      }
    },
  )
}
