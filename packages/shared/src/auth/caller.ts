/** A user, authenticated by their access token. */
export interface UserCaller {
  readonly kind: 'user'
  /** The realm of the token's issuer. */
  readonly realm: string
  /** The token's `sub`; unique in the realm. */
  readonly subject: string
  /** The claims about the user. */
  readonly profile: UserProfile
  /** When the token expires. */
  readonly expireTime: Date
  /** The token itself, for calls to other services on the caller's behalf. */
  readonly token: string
}

/** Claims that describe a user; any may be missing. */
export interface UserProfile {
  readonly preferredUsername: string | undefined
  readonly email: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
  readonly name: string | undefined
}

/** A service of the platform, authenticated by its own token. */
export interface ServiceCaller {
  readonly kind: 'service'
  readonly name: string
  readonly expireTime: Date
}

/** An authenticated caller. */
export type Caller = UserCaller | ServiceCaller

/** Identifies a user among those of all realms. */
export function userKey({ realm, subject }: Pick<UserCaller, 'realm' | 'subject'>): string {
  return JSON.stringify([realm, subject])
}
