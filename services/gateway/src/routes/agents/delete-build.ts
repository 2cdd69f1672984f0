import { Type } from 'typebox'

import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { about } from '../../http/schemas/kinds.ts'
import { DryRunQuery } from '../dry-run-query.ts'
import { BuildId } from '../names.ts'
import { AgentPath } from '../path-parameters.ts'
import { DeletedBuild } from './build-schemas.ts'

/** `DELETE /agents/{account}/{name}/builds/{build_id}`: deletes an unpublished build. */
export function addDeleteBuildRoute(app: App, { clients }: GatewayContext): void {
  app.delete(
    '/api/v1/agents/:account/:name/builds/:build_id',
    {
      schema: {
        operationId: 'deleteBuild',
        summary: 'Delete an unpublished build',
        description:
          'Deployments of the build keep running. Published versions are never deleted, only ' +
          'yanked. Deleting a build a second time is a 404.',
        tags: ['agents'],
        params: Type.Interface([AgentPath], { build_id: about(BuildId, 'A registered build') }),
        querystring: DryRunQuery,
        response: { 200: DeletedBuild, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { account, name, build_id: buildId } = request.params
      const { dry_run: dryRun } = request.query
      await clients.agents.deleteBuild({ account, name, buildId, dryRun }, callFor(request, reply))
      const message = dryRun ? 'the build can be deleted' : 'build deleted'
      return { message, ...request.params, dry_run: dryRun }
    },
  )
}
