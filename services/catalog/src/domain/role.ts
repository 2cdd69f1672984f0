import { FailedPrecondition, PermissionDenied } from '@slipway/shared/errors'

/** What a member may do in an account, from least to most. */
export const ROLES = ['member', 'admin', 'owner'] as const

/** What a member may do in an account. */
export type Role = (typeof ROLES)[number]

/** Whether a role, if any, includes another one's rights. */
export function includesRole(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** Throws PermissionDenied unless the role includes the needed one's rights. */
export function requireRole(role: Role | undefined, needed: Role): void {
  if (includesRole(role, needed)) return
  throw new PermissionDenied(
    'permission_denied',
    needed === 'member'
      ? 'only members of the account may do this'
      : 'only owners and admins of the account may do this',
  )
}

/**
 * A change of one member's role, from what it is to what it shall be; undefined means no member.
 */
export interface RoleChange {
  readonly actor: Role | undefined
  readonly isSelf: boolean
  readonly from: Role | undefined
  readonly to: Role | undefined
  /** How many owners the account has before the change. */
  readonly ownerCount: number
}

/**
 * Throws unless the actor may make the change: admins manage members and admins, only owners make
 * or unmake owners, anyone may leave, and the last owner stays.
 */
export function checkRoleChange({ actor, isSelf, from, to, ownerCount }: RoleChange): void {
  const isLeaving = isSelf && from !== undefined && to === undefined
  if (!isLeaving) requireRole(actor, 'admin')
  if (from === to) return
  if (!isLeaving && (from === 'owner' || to === 'owner') && actor !== 'owner') {
    throw new PermissionDenied(
      'permission_denied',
      'only owners of the account may make or unmake owners',
    )
  }
  if (from === 'owner' && to !== 'owner' && ownerCount <= 1) {
    throw new FailedPrecondition(
      'last_owner',
      'the last owner of an account can not be removed or changed',
    )
  }
}
