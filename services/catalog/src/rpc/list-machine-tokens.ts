import type { ServiceImpl } from '@connectrpc/connect'
import type { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'

import { listTokens } from '../db/machine-tokens.ts'
import type { CatalogContext } from '../context.ts'
import { requireAccessOfPerson } from './access.ts'
import { toProtoToken } from './token-mapping.ts'

/** Lists the machine tokens of an account. */
export function listMachineTokens(
  context: CatalogContext,
): ServiceImpl<typeof MachineTokenService>['listMachineTokens'] {
  return async ({ account }, call) => {
    const { accountId } = await requireAccessOfPerson(context, call, { account, role: 'admin' })
    return { tokens: (await listTokens(context.db, accountId)).map(toProtoToken) }
  }
}
