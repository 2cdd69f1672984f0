import { FailedPrecondition } from '@slipway/shared/errors'
import type { Kysely } from 'kysely'

import type { CatalogLimits } from '../config.ts'
import { countHeldNames, countKeptNames } from '../db/accounts.ts'
import type { CatalogSchema } from '../db/tables.ts'

/**
 * Throws FailedPrecondition `too_many_held_names` if more names are reserved on behalf of a user
 * than the limit. To be called after a name was reserved, or with the number of `added` names
 * before that; the user must be locked.
 */
export async function requireRoomForHeldName(
  { heldNamesPerUser, nameHoldDays }: CatalogLimits,
  trx: Kysely<CatalogSchema>,
  userId: string,
  added = 0,
): Promise<void> {
  const { count, nextRelease } = await countHeldNames(trx, userId)
  if (count + added <= heldNamesPerUser) return
  throw new FailedPrecondition(
    'too_many_held_names',
    `names of renamed and deleted accounts stay reserved for ${nameHoldDays} days, and ` +
      `${heldNamesPerUser} names are already reserved on your behalf; rename back to one of ` +
      `them, or wait until ${nextRelease?.toISOString()}`,
  )
}

/**
 * Throws FailedPrecondition `too_many_published_names` if an account keeps more previous names than
 * the limit and than `before`, because it published versions under them. To be called after a name
 * was reserved.
 */
export async function requireRoomForKeptName(
  { publishedNamesPerAccount }: CatalogLimits,
  trx: Kysely<CatalogSchema>,
  { accountId, before }: { accountId: string; before: number },
): Promise<void> {
  const count = await countKeptNames(trx, accountId)
  if (count <= Math.max(publishedNamesPerAccount, before)) return
  throw new FailedPrecondition(
    'too_many_published_names',
    'the account has published versions, so its previous names stay reserved for it; it can keep ' +
      `at most ${publishedNamesPerAccount} of them, so rename it to one of its previous names`,
  )
}
