/** A person, proved by a user's access token. */
export interface UserCaller {
  readonly kind: 'user'
  /** The realm of the token's issuer. */
  readonly realm: string
  /** The token's `sub`; unique in the realm. */
  readonly subject: string
  /** What the token tells about the person. */
  readonly profile: UserProfile
  /** When the token expires. */
  readonly expireTime: Date
  /** The token as it was sent, for calls to other services on the caller's behalf. */
  readonly token: string
}

/** Claims that describe a person; any may be missing. */
export interface UserProfile {
  readonly preferredUsername: string | undefined
  readonly email: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
  readonly name: string | undefined
}

/** One of the services of the platform, proved by its own token. */
export interface ServiceCaller {
  readonly kind: 'service'
  readonly name: string
  readonly expireTime: Date
}

/** Whoever proved who they are. */
export type Caller = UserCaller | ServiceCaller
