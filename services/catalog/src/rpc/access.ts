import type { HandlerContext } from '@connectrpc/connect'
import { optionalUser, requireUser } from '@slipway/shared/rpc'

import { findAccess, type AccountAccess, type Identity } from '../db/accounts.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { accountNotFound } from '../domain/missing.ts'
import { requireRole, type Role } from '../domain/role.ts'

/** Who the caller is, if anybody. */
export function callerIdentity(call: HandlerContext): Identity | undefined {
  const user = optionalUser(call)
  return user && { realm: user.realm, subject: user.subject }
}

/**
 * The account and the caller's place in it, provided that they have the needed role: else NotFound,
 * PermissionDenied.
 */
export async function requireAccess(
  context: CatalogContext,
  call: HandlerContext,
  { account, role }: { account: string; role: Role },
): Promise<AccountAccess> {
  const { realm, subject } = requireUser(call)
  const access = isAccountName(account)
    ? await findAccess(context.db, { account, identity: { realm, subject } })
    : undefined
  if (access === undefined) throw accountNotFound()
  requireRole(access.role ?? undefined, role)
  return access
}
