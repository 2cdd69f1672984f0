import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { DELETION_TIMEOUT_MS, DryRunQuery } from '../dry-run-query.ts'
import { AgentPath } from '../path-parameters.ts'
import { DeletedAgent } from './build-schemas.ts'

/** `DELETE /agents/{account}/{name}`: deletes an agent that is neither deployed nor published. */
export function addDeleteAgentRoute(app: App, { clients }: GatewayContext): void {
  app.delete(
    '/api/v1/agents/:account/:name',
    {
      schema: {
        operationId: 'deleteAgent',
        summary: 'Delete an agent without published versions',
        description:
          'Deletes its builds, the history of its deployments and its traces. The agent must not ' +
          'be deployed. Deleting an agent a second time is a 404.',
        tags: ['agents'],
        params: AgentPath,
        querystring: DryRunQuery,
        response: { 200: DeletedAgent, ...problems(400, 401, 403, 404, 409, 503) },
      },
    },
    async (request, reply) => {
      const { dry_run: dryRun } = request.query
      const { deleted } = await clients.deployments.deleteAgent(
        { ...request.params, dryRun },
        callFor(request, reply, DELETION_TIMEOUT_MS),
      )
      return {
        message: dryRun ? 'the agent can be deleted' : 'agent deleted',
        ...request.params,
        dry_run: dryRun,
        deleted: { builds: deleted?.buildIds ?? [], build_count: deleted?.buildCount ?? 0 },
      }
    },
  )
}
