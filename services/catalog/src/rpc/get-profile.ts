import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import { listProfileRows } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { ensureUser } from './ensure-user.ts'
import { toProtoAccountType, toProtoRole, toProtoUser } from './mapping.ts'

/**
 * Others can add a user to any number of large accounts, and the profile must still fit into a
 * response. ListAccountAgents returns all agents of an account.
 */
const BOUNDS = { maxAccounts: 1000, maxAgents: 1000, maxAgentsInAll: 1000 }

/** Returns the caller with their accounts. Stores a new user. */
export function getProfile(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['getProfile'] {
  return async (_request, call) => {
    const user = await ensureUser(context, call)
    const rows = await listProfileRows(context.db, { userId: user.id, ...BOUNDS })
    const accounts = Map.groupBy(rows, (row) => row.account_id)
    return {
      user: toProtoUser(user),
      accounts: [...accounts].map(([id, [first, ...others]]) => ({
        account: {
          id,
          name: first?.account_name ?? '',
          type: toProtoAccountType(first?.account_type ?? 'team'),
        },
        role: toProtoRole(first?.role ?? null),
        confirmed: first?.is_confirmed ?? false,
        agents: [first, ...others].flatMap((row) =>
          row === undefined || row.agent_name === null
            ? []
            : {
                name: row.agent_name,
                registry: row.registry,
                buildCount: row.build_count,
                publishedVersionCount: row.version_count,
              },
        ),
      })),
      hasMoreAccounts: rows[0]?.has_more ?? false,
    }
  }
}
