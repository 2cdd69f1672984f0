import { PermissionDenied } from '@slipway/shared/errors'
import { Memberships, type MembershipOptions } from '@slipway/shared/memberships'

import type { TracedAgent } from '../domain/traced-agent.ts'

/**
 * Creates the check of who may see an account's traces; the agent may be empty. It throws
 * PermissionDenied when the account is unknown or the caller is not a member: the error is the
 * same, so that traces don't reveal which accounts exist.
 */
export function createMemberships(
  catalog: Pick<MembershipOptions<TracedAgent>, 'accounts' | 'grantMs' | 'serviceToken'>,
): Memberships<TracedAgent> {
  return new Memberships({
    ...catalog,
    toGrant({ accountId, agentId, agentCreateTime: since }, { agent = '' }) {
      const agentSinceNs = since ? since.seconds * 1_000_000_000n + BigInt(since.nanos) : 0n
      return { accountId, agent, agentId, agentSinceNs }
    },
    toDenial: (_caller, _asked, cause) =>
      new PermissionDenied('permission_denied', 'only members of the account may see its traces', {
        cause,
      }),
  })
}
