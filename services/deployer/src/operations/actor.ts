import type { MachineTokenFacts } from '@slipway/shared/auth'
import type { RequestOrigin } from '@slipway/shared/rpc'

import type { NewRevision } from '../db/revisions.ts'

/** The user and the request that started an operation. */
export interface Actor {
  readonly userId: string
  /** The machine token with which the user acts, if it is one. */
  readonly machineToken: Pick<MachineTokenFacts, 'id' | 'name'> | undefined
  readonly origin: RequestOrigin
  /** Ends waiting for a lock or the cluster. An operation whose intent is stored continues. */
  readonly signal: AbortSignal
}

/** Who creates a revision. */
export function authorOf({
  userId,
  machineToken,
}: Actor): Pick<NewRevision, 'created_by' | 'created_by_token_id' | 'created_by_token_name'> {
  return {
    created_by: userId,
    created_by_token_id: machineToken?.id ?? null,
    created_by_token_name: machineToken?.name ?? null,
  }
}
