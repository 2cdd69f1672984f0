import type { ServiceImpl } from '@connectrpc/connect'
import { AccountType } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { valueOf } from '@slipway/shared/enum-names'
import { Unauthenticated } from '@slipway/shared/errors'
import { hashMachineToken } from '@slipway/shared/machine-tokens'
import { requestOrigin, requireUser } from '@slipway/shared/rpc'

import { findValidToken } from '../db/machine-tokens.ts'
import { listProfileRows, type ProfileRow } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { requirePerson } from './access.ts'
import { ensureUser } from './ensure-user.ts'
import { toProtoRole, toProtoUser } from './mapping.ts'
import { toProtoToken } from './token-mapping.ts'

/**
 * Others can add a user to any number of large accounts, and the profile must still fit into a
 * response. ListAccountAgents returns all agents of an account.
 */
const BOUNDS = { maxAccounts: 1000, maxAgents: 1000, maxAgentsInAll: 1000 }

/** Returns the caller with their accounts, and what a machine token is. Stores a new user. */
export function getProfile(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['getProfile'] {
  return async (_request, call) => {
    const { machineToken, token } = requireUser(call)
    if (machineToken !== undefined) return await profileOfToken(context, token)
    const user = await ensureUser(context, requirePerson(call), requestOrigin(call))
    const rows = await listProfileRows(context.db, { userId: user.id, ...BOUNDS })
    return {
      user: toProtoUser(user),
      accounts: toProtoAccounts(rows),
      hasMoreAccounts: rows[0]?.has_more ?? false,
    }
  }
}

/** A machine token has one account, with its own role. Its creator stays unnamed. */
async function profileOfToken({ db }: CatalogContext, secret: string) {
  const token = await findValidToken(db, hashMachineToken(secret))
  // It was valid when the call began.
  if (token === undefined)
    throw new Unauthenticated('invalid_token', 'the access token is not valid')
  const { account_id: accountId, created_by: userId } = token
  const rows = await listProfileRows(db, { userId, accountId, ...BOUNDS })
  const role = toProtoRole(token.role)
  return {
    user: { id: userId },
    accounts: toProtoAccounts(rows).map((account) => ({ ...account, role })),
    machineToken: toProtoToken(token),
  }
}

function toProtoAccounts(rows: readonly ProfileRow[]) {
  const accounts = Map.groupBy(rows, (row) => row.account_id)
  return [...accounts].map(([id, [first, ...others]]) => ({
    account: {
      id,
      name: first?.account_name ?? '',
      type: valueOf(AccountType, first?.account_type ?? 'team'),
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
  }))
}
