/** A user of the development identity provider. */
export interface DevelopmentUser {
  /** The `sub` claim. */
  readonly subject: string
  readonly username: string
  readonly email: string
  readonly givenName: string
  readonly familyName: string
}

/** The audience of user access tokens. */
export const USER_AUDIENCE = 'urn:slipway:api'

/** The audience of service access tokens. */
export const SERVICE_AUDIENCE = 'urn:slipway:internal'

/** The public client for command-line tools: device flow and refresh tokens. */
export const COMMAND_LINE_CLIENT = 'slipway-cli'

/** The public client of the gateway, with which people sign in with a browser. */
export const CONSOLE_CLIENT = 'slipway-console'

/** The same, with tokens that expire after two seconds. */
export const SHORT_LIVED_CONSOLE_CLIENT = 'slipway-console-short-lived'

/** A client whose tokens expire after two seconds, for tests with expired tokens. */
export const SHORT_LIVED_CLIENT = 'slipway-short-lived'

/** A client whose access tokens have no names and no e-mail address, as those of some providers. */
export const NAMELESS_CLIENT = 'slipway-nameless'

/** Lifetimes of access tokens in seconds. */
export const tokenLifetime = { usual: 2 * 60 * 60, short: 2 } as const

/** The users who can log in. */
export const users: readonly DevelopmentUser[] = [
  user('0b9c6c2e-6a0e-4c0a-9a53-1f0a1c3e0a01', 'alice', 'Alice', 'Archer'),
  user('4f1d2b7a-3c55-4d0e-8a2f-2b6f0d9e0b02', 'bob', 'Bob', 'Baker'),
  user('8e7a5d10-91f4-4b7c-b1de-3c8a4e7f0c03', 'carol', 'Carol', 'Carter'),
  user('c2d4f6e8-17ab-4e39-a6c0-4d1b5f8a0d04', 'mallory', 'Mallory', 'Marsh'),
]

function user(
  subject: string,
  username: string,
  givenName: string,
  familyName: string,
): DevelopmentUser {
  return { subject, username, email: `${username}@example.test`, givenName, familyName }
}
