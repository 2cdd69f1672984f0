import type { ServiceImpl } from '@connectrpc/connect'
import type { CreateMachineTokenRequest } from '@slipway/proto/slipway/catalog/v1/machine_token'
import { Role as ProtoRole } from '@slipway/proto/slipway/catalog/v1/account'
import type { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { exceedsQuota, quotaExceeded } from '@slipway/shared/account-limits'
import { transaction } from '@slipway/shared/db'
import { FailedPrecondition, Violations } from '@slipway/shared/errors'
import { hashMachineToken, newMachineToken } from '@slipway/shared/machine-tokens'
import { requestOrigin } from '@slipway/shared/rpc'

import { lockAccount } from '../db/accounts.ts'
import { countTokens, deleteExpiredTokens, insertToken } from '../db/machine-tokens.ts'
import { findRole } from '../db/members.ts'
import type { CatalogContext } from '../context.ts'
import {
  LIFETIME_DAYS,
  TOKEN_ROLES,
  tokenNameProblem,
  tokenRoleOf,
} from '../domain/machine-token.ts'
import { accountNotFound } from '../domain/missing.ts'
import { requireRole } from '../domain/role.ts'
import { appendTokenCreated } from '../events.ts'
import { requireAccessOfPerson } from './access.ts'
import { fromProtoRole } from './mapping.ts'
import { toProtoToken } from './token-mapping.ts'

/** Creates a machine token. Its secret is only in the response. */
export function createMachineToken(
  context: CatalogContext,
): ServiceImpl<typeof MachineTokenService>['createMachineToken'] {
  return async (request, call) => {
    const { name, role, days } = wantedToken(request)
    const { accountId, userId } = await requireAccessOfPerson(context, call, {
      account: request.account,
      role: 'admin',
    })
    const secret = newMachineToken()
    const row = await transaction(context.db, async (trx) => {
      if ((await lockAccount(trx, accountId)) === undefined) throw accountNotFound()
      // The membership may have changed since.
      requireRole(await findRole(trx, { accountId, userId }), 'admin')
      const bound = context.accountLimits.of(accountId).machine_tokens
      await deleteExpiredTokens(trx, { accountId, kept: bound, name })
      const used = await countTokens(trx, accountId)
      const use = { limit: 'machine_tokens', used, bound } as const
      if (exceedsQuota(use, 1)) throw quotaExceeded(use, 1)
      const id = context.randomId()
      const hash = hashMachineToken(secret)
      const token = { id, hash, account_id: accountId, created_by: userId, name, role, days }
      const stored = await insertToken(trx, token)
      if (stored === undefined) throw nameTaken(name)
      await appendTokenCreated(trx, { accountId, id, name, userId }, requestOrigin(call))
      return stored
    })
    return { token: toProtoToken(row), secret }
  }
}

function wantedToken({ name, role: wanted, lifetimeDays }: CreateMachineTokenRequest) {
  const problem = tokenNameProblem(name)
  const role = wanted === ProtoRole.UNSPECIFIED ? 'member' : tokenRoleOf(fromProtoRole(wanted))
  const days = lifetimeDays === 0 ? LIFETIME_DAYS.default : lifetimeDays
  new Violations()
    .require(problem === undefined, 'name', problem ?? '')
    .require(role !== undefined, 'role', `must be one of ${TOKEN_ROLES.join(', ')}`)
    .requireWithin('lifetime_days', days, LIFETIME_DAYS.min, LIFETIME_DAYS.max)
    .throwIfAny()
  return { name, role: role ?? 'member', days }
}

function nameTaken(name: string): FailedPrecondition {
  const message = `another token is named ${name}; revoke it first, or choose another name`
  return new FailedPrecondition('token_name_taken', message)
}
