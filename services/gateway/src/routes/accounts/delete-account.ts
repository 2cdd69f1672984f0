import { callFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { changeCatalog } from '../../public-answers/drop-on-change.ts'
import { DELETION_TIMEOUT_MS, DryRunQuery } from '../dry-run-query.ts'
import { AccountPath } from '../path-parameters.ts'
import { DeletedAccount } from './schemas.ts'

/** `DELETE /accounts/{account}`: deletes a team account in which nothing is deployed. */
export function addDeleteAccountRoute(app: App, { clients, publicAnswers }: GatewayContext): void {
  app.delete(
    '/api/v1/accounts/:account',
    {
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete a team account',
        description:
          'Deletes its agents, builds, members, traces and the history of its deployments. Only ' +
          'its last owner may do so. The account must have no deployments and no published ' +
          'versions. Its name stays reserved. Deleting an account a second time is a 404.',
        tags: ['accounts'],
        params: AccountPath,
        querystring: DryRunQuery,
        response: { 200: DeletedAccount, ...problems(400, 401, 403, 404, 409, 503) },
      },
    },
    async (request, reply) => {
      const { account } = request.params
      const { dry_run: dryRun } = request.query
      const change = async () =>
        await clients.deployments.deleteAccount(
          { account, dryRun },
          callFor(request, reply, DELETION_TIMEOUT_MS),
        )
      const { deleted } = await (dryRun ? change() : changeCatalog(publicAnswers, change()))
      return {
        message: dryRun ? 'the account can be deleted' : 'account deleted',
        account,
        dry_run: dryRun,
        deleted: {
          agents: deleted?.agents ?? [],
          agent_count: deleted?.agentCount ?? 0,
          build_count: deleted?.buildCount ?? 0,
          member_count: deleted?.memberCount ?? 0,
        },
      }
    },
  )
}
