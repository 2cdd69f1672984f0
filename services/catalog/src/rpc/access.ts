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
  return await requireRoleOf(context, { realm, subject }, { account, role })
}

/** Like requireAccess, for a user on whose behalf a service calls. */
export async function requireRoleOf(
  context: CatalogContext,
  identity: Identity,
  { account, role }: { account: string; role: Role },
): Promise<AccountAccess> {
  const isKnowable =
    isAccountName(account) && !`${identity.realm}${identity.subject}`.includes('\0')
  const access = isKnowable ? await findAccess(context.db, { account, identity }) : undefined
  if (access === undefined) throw accountNotFound()
  requireRole(access.role ?? undefined, role)
  return access
}
