import type { ServiceImpl } from '@connectrpc/connect'
import type { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { FailedPrecondition, Violations } from '@slipway/shared/errors'

import { endLease, replaceContent } from '../db/browser-sessions.ts'
import type { CatalogContext } from '../context.ts'
import { isLeaseId } from '../domain/ids.ts'
import { MAX_SEALED_BYTES } from './create-browser-session.ts'
import { findLiveSession, toProtoSession } from './find-live-session.ts'

/** Replaces the content of a session, by the holder of its lease. */
export function updateBrowserSession(
  context: CatalogContext,
): ServiceImpl<typeof BrowserSessionService>['updateBrowserSession'] {
  return async ({ hash: bytes, leaseId, sealed }) => {
    new Violations()
      .require(isLeaseId(leaseId), 'lease_id', 'must be that of a lease')
      .requireWithin('sealed', sealed.length, 0, MAX_SEALED_BYTES)
      .throwIfAny()
    const hash = Buffer.from(bytes)
    await findLiveSession(context, hash)
    if (sealed.length === 0) await endLease(context.db, { hash, leaseId })
    else if (!(await replaceContent(context.db, { hash, leaseId, sealed: Buffer.from(sealed) })))
      throw new FailedPrecondition('session_lease_lost', 'another caller may replace the content')
    return { session: toProtoSession(await findLiveSession(context, hash)) }
  }
}
