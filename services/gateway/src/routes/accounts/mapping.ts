import { Role, type Member } from '@slipway/proto/slipway/catalog/v1/account'
import { nameOf, type NameIn } from '@slipway/shared/enum-names'

/** The name of a role in the REST API. */
export function toRoleName(role: Role): NameIn<typeof Role> {
  return nameOf(Role, role) ?? 'member'
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
