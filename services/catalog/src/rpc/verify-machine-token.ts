import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import type { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { PermissionDenied } from '@slipway/shared/errors'
import { requireUser } from '@slipway/shared/rpc'

import { toProtoRole } from './mapping.ts'

/** Returns what the machine token is with which the call is made. */
export function verifyMachineToken(): ServiceImpl<
  typeof MachineTokenService
>['verifyMachineToken'] {
  return (_request, call) => {
    const { machineToken, expireTime } = requireUser(call)
    if (machineToken === undefined) {
      const message = 'this call requires a machine token'
      throw new PermissionDenied('machine_token_required', message)
    }
    const { id, name, role, accountId, countsFor } = machineToken
    return {
      id,
      name,
      role: toProtoRole(role),
      expireTime: timestampFromDate(expireTime),
      accountId,
      countsFor,
    }
  }
}
