import type { MachineToken } from '@slipway/proto/slipway/catalog/v1/machine_token'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'

import { toTimeText } from '../../http/requests/time.ts'

/** A machine token in the REST API. */
export function toTokenJson(token: MachineToken | undefined) {
  const { lastUseTime } = token ?? {}
  return {
    id: token?.id ?? '',
    name: token?.name ?? '',
    role: token?.role === Role.ADMIN ? ('admin' as const) : ('member' as const),
    created_by: token?.createdBy ?? '',
    created_at: toTimeText(token?.createTime),
    expires_at: toTimeText(token?.expireTime),
    ...(lastUseTime && { last_used_at: toTimeText(lastUseTime) }),
  }
}
