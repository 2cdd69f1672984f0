import type { ServiceImpl } from '@connectrpc/connect'
import type { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'

import { recordSessionUse } from '../db/browser-sessions.ts'
import type { CatalogContext } from '../context.ts'
import { findLiveSession, toProtoSession } from './find-live-session.ts'

/** Returns a session, and stores that it was used, unless it is only checked. */
export function getBrowserSession(
  context: CatalogContext,
): ServiceImpl<typeof BrowserSessionService>['getBrowserSession'] {
  return async ({ hash, checkOnly }) => {
    const row = await findLiveSession(context, hash)
    if (checkOnly || row.is_fresh) return { session: toProtoSession(row) }
    await recordSessionUse(context.db, row.id)
    return { session: toProtoSession(await findLiveSession(context, hash)) }
  }
}
