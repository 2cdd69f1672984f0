import type { ServiceImpl } from '@connectrpc/connect'
import type { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { transaction } from '@slipway/shared/db'
import { requestOrigin } from '@slipway/shared/rpc'

import { lockAccount } from '../db/accounts.ts'
import { deleteToken } from '../db/machine-tokens.ts'
import type { CatalogContext } from '../context.ts'
import { isTokenId } from '../domain/ids.ts'
import { accountNotFound, tokenNotFound } from '../domain/missing.ts'
import { appendTokenRevoked } from '../events.ts'
import { requireAccessOfPerson } from './access.ts'

export function revokeMachineToken(
  context: CatalogContext,
): ServiceImpl<typeof MachineTokenService>['revokeMachineToken'] {
  return async ({ account, id }, call) => {
    const { accountId, userId } = await requireAccessOfPerson(context, call, {
      account,
      role: 'admin',
    })
    await transaction(context.db, async (trx) => {
      if ((await lockAccount(trx, accountId)) === undefined) throw accountNotFound()
      const name = isTokenId(id) ? await deleteToken(trx, { accountId, id }) : undefined
      if (name === undefined) throw tokenNotFound()
      await appendTokenRevoked(trx, { accountId, id, name, userId }, requestOrigin(call))
    })
    // Calls that begin now must not join a lookup that began before.
    context.machineTokens.drop(accountId)
    return { accountId }
  }
}
