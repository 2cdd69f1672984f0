import type { HandlerContext } from '@connectrpc/connect'
import { requestOrigin, requireUser } from '@slipway/shared/rpc'

import type { Actor } from '../operations/actor.ts'

/** The caller, whose user id the catalog knows, as the one who starts an operation. */
export function actorOf(call: HandlerContext, userId: string): Actor {
  const { machineToken } = requireUser(call)
  return { userId, machineToken, origin: requestOrigin(call), signal: call.signal }
}
