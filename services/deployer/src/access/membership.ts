import { PermissionDenied } from '@slipway/shared/errors'
import { Memberships, type MembershipOptions } from '@slipway/shared/memberships'

/** A user's membership in an account. */
export interface Membership {
  readonly accountId: string
  /** The user, or the creator of the machine token. */
  readonly userId: string
}

/**
 * Creates the check of memberships. It throws NotFound `account_not_found` if there is no such
 * account, PermissionDenied if the caller isn't a member.
 */
export function createMemberships(
  catalog: Pick<MembershipOptions<Membership>, 'accounts' | 'serviceToken'>,
): Memberships<Membership> {
  return new Memberships({
    ...catalog,
    toGrant: ({ accountId, userId }) => ({ accountId, userId }),
    toDenial({ machineToken }, { account }, cause) {
      if (cause !== undefined) return cause
      const name = account === undefined ? '' : ` ${account}`
      const message =
        machineToken === undefined
          ? `you are not a member of the account${name}`
          : `the machine token is revoked, or is not one of the account${name}`
      return new PermissionDenied('permission_denied', message)
    },
  })
}
