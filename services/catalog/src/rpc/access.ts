import type { HandlerContext } from '@connectrpc/connect'
import { optionalUser, requireUser } from '@slipway/shared/rpc'

import { findAccess, type AccountAccess, type Identity } from '../db/accounts.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { accountNotFound } from '../domain/missing.ts'
import { requireRole, type Role } from '../domain/role.ts'

/** The identity of the calling user; undefined for an anonymous call. */
export function callerIdentity(call: HandlerContext): Identity | undefined {
  const user = optionalUser(call)
  return user && { realm: user.realm, subject: user.subject }
}

/**
 * Returns the account and the caller's role in it. Throws NotFound if there is no such account,
 * PermissionDenied unless the caller has the required role.
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
