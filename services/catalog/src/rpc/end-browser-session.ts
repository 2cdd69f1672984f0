import type { ServiceImpl } from '@connectrpc/connect'
import type { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { transaction } from '@slipway/shared/db'
import { requestOrigin } from '@slipway/shared/rpc'

import { deleteSessions, findSessionUser } from '../db/browser-sessions.ts'
import { lockUser } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { appendSessionsEnded } from '../events.ts'

/** Ends a session, or all sessions of its user. */
export function endBrowserSession(
  context: CatalogContext,
): ServiceImpl<typeof BrowserSessionService>['endBrowserSession'] {
  return async ({ hash: bytes, everywhere }, call) => {
    const hash = Buffer.from(bytes)
    const userId = await findSessionUser(context.db, hash)
    if (userId === undefined) return { userId: '' }
    await transaction(context.db, async (trx) => {
      // A session that is created meanwhile is created after it.
      await lockUser(trx, userId)
      const sessionIds = await deleteSessions(trx, everywhere ? { userId } : { hash })
      await appendSessionsEnded(trx, { userId, sessionIds }, requestOrigin(call))
    })
    return { userId }
  }
}
