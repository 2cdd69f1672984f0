import { FailedPrecondition } from '@slipway/shared/errors'
import type { Kysely } from 'kysely'

import type { CatalogContext } from '../context.ts'
import { countAccountsOf } from '../db/members.ts'
import type { CatalogSchema } from '../db/tables.ts'

/**
 * Throws FailedPrecondition `too_many_accounts` if a user has reached the limit on accounts per
 * user. Users can be added to accounts without their consent, and their profile lists all accounts.
 */
export async function requireRoomForAccount(
  { limits: { accountsPerUser } }: Pick<CatalogContext, 'limits'>,
  trx: Kysely<CatalogSchema>,
  userId: string,
): Promise<void> {
  if ((await countAccountsOf(trx, userId)) < accountsPerUser) return
  throw new FailedPrecondition(
    'too_many_accounts',
    `a user can be a member of at most ${accountsPerUser} accounts`,
  )
}
