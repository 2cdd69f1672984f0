import type { ServiceImpl } from '@connectrpc/connect'
import { AccountType, Role } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { transaction } from '@slipway/shared/db'
import { Violations } from '@slipway/shared/errors'
import { recordResponse } from '@slipway/shared/idempotency'
import { requestOrigin } from '@slipway/shared/rpc'

import { claimAccountName, insertAccount } from '../db/accounts.ts'
import type { CatalogContext } from '../context.ts'
import { accountNameProblem, accountNameTaken } from '../domain/account-name.ts'
import { appendAccountCreated } from '../events.ts'
import { requirePerson } from './access.ts'
import { ensureUser } from './ensure-user.ts'
import { requireRoomForAccount } from './accounts-created.ts'

/** Creates a team account owned by the caller. */
export function createAccount(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['createAccount'] {
  return async ({ name }, call) => {
    const problem = accountNameProblem(name)
    new Violations().require(problem === undefined, 'name', problem ?? '').throwIfAny()
    const user = await ensureUser(context, requirePerson(call), requestOrigin(call))
    const accountId = context.randomId()
    const response = { account: { id: accountId, name, type: AccountType.TEAM }, role: Role.OWNER }
    await transaction(context.db, async (trx) => {
      await requireRoomForAccount(context, trx, user.id)
      if (!(await claimAccountName(trx, { name, accountId }))) throw accountNameTaken(name)
      await insertAccount(trx, { id: accountId, name, type: 'team', ownerId: user.id })
      await appendAccountCreated(trx, { accountId, name }, requestOrigin(call))
      await recordResponse(call, trx, response)
    })
    return response
  }
}
