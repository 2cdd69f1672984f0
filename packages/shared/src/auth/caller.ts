/** The realm of machine tokens, whose subjects are their ids. No issuer can have it. */
export const MACHINE_TOKEN_REALM = 'urn:slipway:machine-token'

/**
 * A user, authenticated by their access token. A machine token is a separate user, so that
 * nothing that a person may do is allowed to it by accident.
 */
export interface UserCaller {
  readonly kind: 'user'
  /** The realm of the token's issuer. */
  readonly realm: string
  /** The token's `sub`; unique in the realm. */
  readonly subject: string
  /** The claims about the user. */
  readonly profile: UserProfile
  /** When the token was issued; undefined if it doesn't say. */
  readonly issueTime?: Date
  /** When the token expires. */
  readonly expireTime: Date
  /** The token itself, for calls to other services on the caller's behalf. */
  readonly token: string
  /** Undefined for a person. */
  readonly machineToken?: MachineTokenFacts
}

export interface MachineTokenFacts {
  readonly id: string
  readonly name: string
  /** The only account in which it acts. */
  readonly accountId: string
  readonly role: 'member' | 'admin'
  /** The key of its creator, for whom all that it does counts. */
  readonly countsFor: string
}

/** Claims that describe a user; any may be missing. */
export interface UserProfile {
  readonly preferredUsername: string | undefined
  readonly email: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
  readonly name: string | undefined
}

/** The profile of a caller without claims. */
export const NO_PROFILE: UserProfile = {
  preferredUsername: undefined,
  email: undefined,
  givenName: undefined,
  familyName: undefined,
  name: undefined,
}

/** A service of the platform, authenticated by its own token. */
export interface ServiceCaller {
  readonly kind: 'service'
  readonly name: string
  readonly expireTime: Date
}

export type Caller = UserCaller | ServiceCaller

/**
 * Identifies the user for whom a call counts, among those of all realms. For a machine token this
 * is its creator, who could otherwise get more than their share with many tokens.
 */
export function userKey({
  realm,
  subject,
  machineToken,
}: Pick<UserCaller, 'realm' | 'subject' | 'machineToken'>): string {
  return machineToken?.countsFor ?? JSON.stringify([realm, subject])
}
