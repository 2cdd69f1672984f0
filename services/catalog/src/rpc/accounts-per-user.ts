import { FailedPrecondition } from '@slipway/shared/errors'
import type { Kysely } from 'kysely'

import type { CatalogContext } from '../context.ts'
import { countAccountsOf } from '../db/members.ts'
import type { CatalogSchema } from '../db/tables.ts'

/**
 * FailedPrecondition `too_many_accounts` when somebody is in as many accounts as a person can be.
 * Nobody is asked before they are added to an account, and their profile names every one.
 */
export async function requireRoomForAccount(
  { limits: { accountsPerUser } }: Pick<CatalogContext, 'limits'>,
  trx: Kysely<CatalogSchema>,
  userId: string,
): Promise<void> {
  if ((await countAccountsOf(trx, userId)) < accountsPerUser) return
  throw new FailedPrecondition(
    'too_many_accounts',
    `nobody can be in more than ${accountsPerUser} accounts`,
  )
}
