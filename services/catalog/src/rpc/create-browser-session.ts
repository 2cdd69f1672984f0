import type { ServiceImpl } from '@connectrpc/connect'
import type { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import type { UserCaller } from '@slipway/shared/auth'
import { transaction } from '@slipway/shared/db'
import { AlreadyExists, PermissionDenied, Violations } from '@slipway/shared/errors'
import { requestOrigin } from '@slipway/shared/rpc'

import { deleteSurplusSessions, insertSession } from '../db/browser-sessions.ts'
import { lockUser } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { appendSessionsEnded } from '../events.ts'
import { personRequired } from './access.ts'
import { ensureUser } from './ensure-user.ts'
import { findLiveSession, toProtoSession } from './find-live-session.ts'

const HASH_BYTES = 32
/** The largest content of a session. */
export const MAX_SEALED_BYTES = 64 * 1024

/** Creates a session for the user of an access token. */
export function createBrowserSession(
  context: CatalogContext,
): ServiceImpl<typeof BrowserSessionService>['createBrowserSession'] {
  return async ({ userToken, hash, sealed }, call) => {
    new Violations()
      .require(hash.length === HASH_BYTES, 'hash', `must have ${HASH_BYTES} bytes`)
      .requireWithin('sealed', sealed.length, 1, MAX_SEALED_BYTES)
      .throwIfAny()
    const caller = await verifyUser(context, userToken)
    if (caller.machineToken !== undefined) throw personRequired()
    const { id: userId } = await ensureUser(context, caller, requestOrigin(call))
    await transaction(context.db, async (trx) => {
      await lockUser(trx, userId)
      const session = { hash: Buffer.from(hash), userId, sealed: Buffer.from(sealed) }
      const id = await insertSession(trx, { id: context.randomId(), ...session })
      if (id === undefined)
        throw new AlreadyExists('session_exists', 'another session has the hash')
      const ended = await deleteSurplusSessions(trx, userId, context.limits.sessions)
      await appendSessionsEnded(trx, { userId, sessionIds: ended }, requestOrigin(call))
    })
    return { session: toProtoSession(await findLiveSession(context, hash)) }
  }
}

/** The user of an access token. Throws Unauthenticated or PermissionDenied if it isn't a user's. */
export async function verifyUser(
  { tokenVerifier }: Pick<CatalogContext, 'tokenVerifier'>,
  token: string,
): Promise<UserCaller> {
  const caller = await tokenVerifier.verify(token)
  if (caller.kind === 'user') return caller
  throw new PermissionDenied('user_required', 'this call requires the access token of a user')
}
