import { FailedPrecondition } from '@slipway/shared/errors'
import type { Kysely } from 'kysely'

import type { CatalogContext } from '../context.ts'
import type { CatalogSchema } from '../db/tables.ts'
import { countCreatedAccounts, lockUser } from '../db/users.ts'

/**
 * Throws FailedPrecondition `too_many_accounts` if a user has created as many accounts as a user
 * may. Accounts that others have added them to don't count. Locks the user.
 */
export async function requireRoomForAccount(
  { limits: { accountsCreatedPerUser } }: Pick<CatalogContext, 'limits'>,
  trx: Kysely<CatalogSchema>,
  userId: string,
): Promise<void> {
  await lockUser(trx, userId)
  if ((await countCreatedAccounts(trx, userId)) < accountsCreatedPerUser) return
  throw new FailedPrecondition(
    'too_many_accounts',
    `a user can create at most ${accountsCreatedPerUser} accounts; delete one first`,
  )
}
