import type { UserProfile } from './caller.ts'

const MAX_LENGTH = 255

/** Reads what claims of a token, or of a userinfo response, say about a user. */
export function profileOf(claims: Readonly<Record<string, unknown>>): UserProfile {
  const text = (claim: string) => {
    const value = claims[claim]
    return typeof value === 'string' && value !== ''
      ? value.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed()
      : undefined
  }
  return {
    preferredUsername: text('preferred_username'),
    // Anyone can give themselves an e-mail address that no one has verified.
    email: isVerified(claims['email_verified']) ? text('email') : undefined,
    givenName: text('given_name'),
    familyName: text('family_name'),
    name: text('name'),
  }
}

/** Whether a claim `email_verified` says so. Some issuers send it as text. */
export function isVerified(claim: unknown): boolean {
  return claim === true || claim === 'true'
}
