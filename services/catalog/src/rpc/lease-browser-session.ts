import type { ServiceImpl } from '@connectrpc/connect'
import type { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'

import { leaseSession } from '../db/browser-sessions.ts'
import type { CatalogContext } from '../context.ts'
import { findLiveSession, toProtoSession } from './find-live-session.ts'

/** Gives one caller at a time the right to replace the content of a session. */
export function leaseBrowserSession(
  context: CatalogContext,
): ServiceImpl<typeof BrowserSessionService>['leaseBrowserSession'] {
  return async ({ hash, version }) => {
    const leaseId = context.randomId()
    const isLeased = await leaseSession(context.db, { hash: Buffer.from(hash), version, leaseId })
    const row = await findLiveSession(context, hash)
    return { session: toProtoSession(row), leaseId: isLeased ? leaseId : '' }
  }
}
