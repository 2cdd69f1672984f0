import { Role, type Member } from '@slipway/proto/slipway/catalog/v1/account'

/** The name of a role in the REST API. */
export type RoleName = 'owner' | 'admin' | 'member'

const ROLES = { owner: Role.OWNER, admin: Role.ADMIN, member: Role.MEMBER } as const

/** The name for a role. */
export function toRoleName(role: Role): RoleName {
  if (role === Role.OWNER) return 'owner'
  return role === Role.ADMIN ? 'admin' : 'member'
}

/** The role for a name. */
export function fromRoleName(name: RoleName): Role {
  return ROLES[name]
}

/** A member in the REST API. */
export function toMemberJson({ user, role, confirmed }: Member) {
  return {
    user_id: user?.id ?? '',
    ...(user?.email === undefined ? {} : { email: user.email }),
    ...(user?.firstName === undefined ? {} : { first_name: user.firstName }),
    ...(user?.lastName === undefined ? {} : { last_name: user.lastName }),
    role: toRoleName(role),
    confirmed,
  }
}
