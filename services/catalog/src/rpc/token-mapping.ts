import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { MachineTokenSchema } from '@slipway/proto/slipway/catalog/v1/machine_token'

import type { MachineTokenRow } from '../db/machine-tokens.ts'
import { toProtoRole } from './mapping.ts'

/** Converts a machine token. */
export function toProtoToken(row: MachineTokenRow): MessageInitShape<typeof MachineTokenSchema> {
  return {
    id: row.id,
    name: row.name,
    role: toProtoRole(row.role),
    createdBy: row.created_by,
    createTime: timestampFromDate(row.create_time),
    expireTime: timestampFromDate(row.expire_time),
    ...(row.last_use_time && { lastUseTime: timestampFromDate(row.last_use_time) }),
  }
}
