import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { NotFound } from '@slipway/shared/errors'

import { findSession, type BrowserSessionRow } from '../db/browser-sessions.ts'
import type { CatalogContext } from '../context.ts'

/** The session of a hash. Throws NotFound if it doesn't exist or has ended. */
export async function findLiveSession(
  { db, limits }: Pick<CatalogContext, 'db' | 'limits'>,
  hash: Uint8Array,
): Promise<BrowserSessionRow> {
  const row = await findSession(db, Buffer.from(hash), limits.sessions)
  if (row === undefined)
    throw new NotFound('browser_session_not_found', 'the session does not exist or has ended')
  return row
}

/** Converts a session for the gateway. */
export function toProtoSession(row: BrowserSessionRow) {
  return {
    id: row.id,
    userId: row.user_id,
    version: row.version,
    sealed: row.sealed,
    expireTime: timestampFromDate(row.expire_time),
    idleExpireTime: timestampFromDate(row.idle_expire_time),
  }
}
