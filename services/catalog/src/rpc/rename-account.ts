import type { ServiceImpl } from '@connectrpc/connect'
import { AccountType } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { transaction } from '@slipway/shared/db'
import { valueOf } from '@slipway/shared/enum-names'
import { RateLimited, Violations } from '@slipway/shared/errors'
import { requestOrigin } from '@slipway/shared/rpc'
import type { Kysely } from 'kysely'

import {
  claimAccountName,
  countKeptNames,
  countRecentRenames,
  holdAccountName,
  lockAccount,
  setAccountName,
} from '../db/accounts.ts'
import { lockUser } from '../db/users.ts'
import type { CatalogSchema } from '../db/tables.ts'
import type { CatalogContext } from '../context.ts'
import { accountNameProblem, accountNameTaken } from '../domain/account-name.ts'
import { accountNotFound } from '../domain/missing.ts'
import { appendAccountRenamed } from '../events.ts'
import { requireAccessOfPerson } from './access.ts'
import { requireRoomForHeldName, requireRoomForKeptName } from './held-names.ts'

/** A rename indexes all published agents of the account again. */
const MAX_RENAMES_PER_HOUR = 20
const RETRY_AFTER_MS = 5 * 60_000

/** Renames an account and reserves its previous name: forever if it has published a version. */
export function renameAccount(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['renameAccount'] {
  return async ({ account, newName }, call) => {
    new Violations().requireFilled({ new_name: newName }).throwIfAny()
    const { accountId, accountType, userId } = await requireAccessOfPerson(context, call, {
      account,
      role: 'admin',
    })
    if (newName !== account) {
      const problem = accountNameProblem(newName)
      new Violations().require(problem === undefined, 'new_name', problem ?? '').throwIfAny()
      await transaction(context.db, async (trx) => {
        const change = { accountId, oldName: account, newName, userId }
        await rename(context, trx, change)
        await appendAccountRenamed(trx, change, requestOrigin(call))
      })
    }
    return { account: { id: accountId, name: newName, type: valueOf(AccountType, accountType) } }
  }
}

async function rename(
  { limits }: CatalogContext,
  trx: Kysely<CatalogSchema>,
  change: { accountId: string; oldName: string; newName: string; userId: string },
): Promise<void> {
  const { accountId, oldName, newName, userId } = change
  // A concurrent rename may have come first.
  if ((await lockAccount(trx, accountId)) !== oldName) throw accountNotFound()
  if ((await countRecentRenames(trx, accountId)) >= MAX_RENAMES_PER_HOUR) throw tooManyRenames()
  await lockUser(trx, userId)
  const keptBefore = await countKeptNames(trx, accountId)
  if (!(await claimAccountName(trx, { name: newName, accountId }))) throw accountNameTaken(newName)
  await setAccountName(trx, { accountId, name: newName })
  await holdAccountName(trx, { name: oldName, accountId, userId, days: limits.nameHoldDays })
  await requireRoomForHeldName(limits, trx, userId)
  await requireRoomForKeptName(limits, trx, { accountId, before: keptBefore })
}

function tooManyRenames(): RateLimited {
  return new RateLimited(
    'too_many_renames',
    `the account was renamed ${MAX_RENAMES_PER_HOUR} times in the last hour; retry later`,
    { retryAfterMs: RETRY_AFTER_MS },
  )
}
