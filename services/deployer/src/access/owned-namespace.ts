import type { HandlerContext } from '@connectrpc/connect'
import type { Database } from '@slipway/shared/db'
import { NotFound, PermissionDenied } from '@slipway/shared/errors'
import type { Memberships } from '@slipway/shared/memberships'

import { findDeploymentByNamespace, type DeploymentRow } from '../db/deployments.ts'
import type { DeployerSchema } from '../db/tables.ts'
import type { Membership } from './membership.ts'

/** What ownership is checked with. */
interface OwnershipContext {
  readonly db: Database<DeployerSchema>
  readonly memberships: Memberships<Membership>
}

/**
 * Finds the account's deployment with this namespace. A namespace of another account and one that
 * doesn't exist cause the same error, so that callers can't probe for names. `missing` selects it:
 * PermissionDenied or NotFound `namespace_not_found`.
 */
export async function requireOwnedNamespace(
  context: OwnershipContext,
  call: HandlerContext,
  target: { readonly account: string; readonly namespace: string },
  missing: 'forbidden' | 'not_found',
): Promise<DeploymentRow> {
  const { accountId } = await context.memberships.require(call, target.account)
  const found = await findDeploymentByNamespace(context.db, accountId, target.namespace)
  if (found !== undefined) return found
  const metadata = { namespace: target.namespace }
  if (missing === 'forbidden') {
    throw new PermissionDenied(
      'permission_denied',
      'the namespace does not belong to this account',
      { metadata },
    )
  }
  throw new NotFound('namespace_not_found', 'the account has no such namespace', { metadata })
}
