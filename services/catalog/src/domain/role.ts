import { FailedPrecondition, PermissionDenied } from '@slipway/shared/errors'

/** The roles of members, in order of increasing permissions. */
export const ROLES = ['member', 'admin', 'owner'] as const

/** The role of a member in an account. */
export type Role = (typeof ROLES)[number]

/** Whether a role includes the permissions of another one. */
export function includesRole(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

const ALLOWED = { member: 'members', admin: 'owners and admins', owner: 'owners' }

/** Throws PermissionDenied unless the role includes the permissions of the needed one. */
export function requireRole(role: Role | undefined, needed: Role): void {
  if (includesRole(role, needed)) return
  throw new PermissionDenied(
    'permission_denied',
    `only ${ALLOWED[needed]} of the account may do this`,
  )
}

/**
 * A change of a member's role. Undefined roles stand for users who are not members.
 */
export interface RoleChange {
  readonly actor: Role | undefined
  readonly isSelf: boolean
  readonly from: Role | undefined
  readonly to: Role | undefined
  /** The number of owners of the account before the change. */
  readonly ownerCount: number
}

/**
 * Throws unless the actor may make the change. Admins manage members and admins, only owners add or
 * remove owners, all members may leave, and the last owner can't be removed.
 */
export function checkRoleChange({ actor, isSelf, from, to, ownerCount }: RoleChange): void {
  const isLeaving = isSelf && from !== undefined && to === undefined
  if (!isLeaving) requireRole(actor, 'admin')
  if (from === to) return
  if (!isLeaving && (from === 'owner' || to === 'owner') && actor !== 'owner') {
    throw new PermissionDenied(
      'permission_denied',
      'only owners of the account may add or remove owners',
    )
  }
  if (from === 'owner' && to !== 'owner' && ownerCount <= 1) {
    throw new FailedPrecondition(
      'last_owner',
      'the last owner of an account cannot leave or lose the role; add another owner first',
    )
  }
}
