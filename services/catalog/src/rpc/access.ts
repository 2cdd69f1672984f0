import type { HandlerContext } from '@connectrpc/connect'
import type { UserCaller } from '@slipway/shared/auth'
import { PermissionDenied } from '@slipway/shared/errors'
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
  return await findAllowed(context, requireUser(call), { account, role })
}

/** The calling person. Throws PermissionDenied for a machine token. */
export function requirePerson(call: HandlerContext): UserCaller {
  const user = requireUser(call)
  if (user.machineToken === undefined) return user
  throw personRequired()
}

/** The error for a machine token. */
export function personRequired(): PermissionDenied {
  const message = 'a machine token may not do this; use the access token of a person'
  return new PermissionDenied('person_required', message)
}

/** Like requireAccess, for a person; with the id of the user. */
export async function requireAccessOfPerson(
  context: CatalogContext,
  call: HandlerContext,
  wanted: { account: string; role: Role },
): Promise<AccountAccess & { readonly userId: string }> {
  const access = await findAllowed(context, requirePerson(call), wanted)
  return { ...access, userId: access.userId ?? '' }
}

/** Like requireAccess, for the user whose own token a service passes on. */
export async function requireAccessByToken(
  context: CatalogContext,
  userToken: string,
  wanted: { account: string; role: Role },
): Promise<AccountAccess> {
  const caller = await context.tokenVerifier.verify(userToken)
  if (caller.kind !== 'user')
    throw new PermissionDenied('user_required', 'this call requires the access token of a user')
  return await findAllowed(context, caller, wanted)
}

async function findAllowed(
  { db }: CatalogContext,
  { realm, subject }: Identity,
  { account, role }: { account: string; role: Role },
): Promise<AccountAccess> {
  const access = isAccountName(account)
    ? await findAccess(db, { account, identity: { realm, subject } })
    : undefined
  if (access === undefined) throw accountNotFound()
  requireRole(access.role ?? undefined, role)
  return access
}
