import type { Schemas } from '@slipway/client'

type Role = Schemas['Role']

/** The user who looks at an account. */
export interface Viewer {
  readonly id: string
  /** Their role in the account. */
  readonly role: Role
}

/** The roles of members, in order of increasing permissions. */
const ROLES: readonly Role[] = ['member', 'admin', 'owner']

/** Why the user may not manage members and tokens; undefined if they may. */
export function whyNotManage({ role }: Viewer): string | undefined {
  return role === 'member' ? 'Only owners and admins of the account may do this.' : undefined
}

/** Why the user may not change the role of a member; undefined if they may. */
export function whyNotChange(viewer: Viewer, { role }: Schemas['Member']): string | undefined {
  const isAllowed = role !== 'owner' || viewer.role === 'owner'
  return whyNotManage(viewer) ?? (isAllowed ? undefined : 'Only owners may change owners.')
}

/** The roles that the user may give. */
export function rolesToGive({ role }: Viewer): readonly Role[] {
  return ROLES.filter((each) => each !== 'owner' || role === 'owner')
}
