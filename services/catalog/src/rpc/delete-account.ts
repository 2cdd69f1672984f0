import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { transaction } from '@slipway/shared/db'
import { FailedPrecondition } from '@slipway/shared/errors'
import { requestOrigin } from '@slipway/shared/rpc'
import type { Transaction } from 'kysely'

import { holdAccountName } from '../db/accounts.ts'
import {
  deleteAccountRows,
  lockWholeAccount,
  readAccountContent,
  type AccountContent,
} from '../db/deletions.ts'
import type { CatalogSchema } from '../db/tables.ts'
import { lockUser } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { accountNotFound } from '../domain/missing.ts'
import { requireRole } from '../domain/role.ts'
import { appendAccountDeleted } from '../events.ts'
import { requireAccessByToken } from './access.ts'
import { requireRoomForHeldName } from './held-names.ts'

const MAX_AGENTS = 1_000
const MAX_PUBLISHED = 20

/** Deletes a team account without published versions, for the deployer. */
export function deleteAccount(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['deleteAccount'] {
  return async ({ account, dryRun, userToken }, call) => {
    const access = await requireAccessByToken(context, userToken, { account, role: 'owner' })
    const { accountId, accountName: name } = access
    const userId = access.userId ?? ''
    if (access.accountType === 'personal') {
      throw new FailedPrecondition('personal_account', 'a personal account cannot be deleted')
    }
    const { limits } = context
    const remove = async (trx: Transaction<CatalogSchema>) => {
      if (!dryRun) await lockWholeAccount(trx, accountId)
      const content = await readAccountContent(trx, { accountId, maxNames: MAX_AGENTS })
      // A concurrent rename or deletion may have come first.
      if (content?.name !== name) throw accountNotFound()
      checkContent(content, userId)
      await lockUser(trx, userId)
      if (!dryRun)
        await holdAccountName(trx, { name, accountId, userId, days: limits.nameHoldDays })
      await requireRoomForHeldName(limits, trx, userId, dryRun ? 1 : 0)
      if (!dryRun) {
        await deleteAccountRows(trx, accountId)
        await appendAccountDeleted(trx, { accountId, name }, requestOrigin(call))
      }
      const { agents, agentCount, buildCount, memberCount } = content
      return { accountId, deleted: { agents: [...agents], agentCount, buildCount, memberCount } }
    }
    return await transaction(context.db, remove, { retries: 3 })
  }
}

function checkContent({ owners, publishedAgents }: AccountContent, userId: string): void {
  requireRole(owners.includes(userId) ? 'owner' : undefined, 'owner')
  if (owners.length > 1) {
    throw new FailedPrecondition(
      'other_owners',
      'the account has other owners; only its last owner can delete it',
    )
  }
  if (publishedAgents.length === 0) return
  const names = publishedAgents.slice(0, MAX_PUBLISHED).join(', ')
  const more = publishedAgents.length > MAX_PUBLISHED ? ', …' : ''
  throw new FailedPrecondition(
    'account_published',
    'published versions are never deleted, and these agents of the account have some: ' +
      `${names}${more}; yank the versions to hide them`,
  )
}
