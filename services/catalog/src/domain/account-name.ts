import { FailedPrecondition } from '@slipway/shared/errors'

const MIN_LENGTH = 2
/** The maximum length of an account name. */
export const MAX_ACCOUNT_NAME_LENGTH = 39

/** Names that the product's URLs use, or could use later. */
const RESERVED: ReadonlySet<string> = new Set(
  `about abuse access account accounts admin administrator agent agents api app apps assets auth
   billing blog build builds callback catalog config contact console dashboard default demo deploy
   deployment deployments dev docs download downloads enterprise events explore favicon feed
   feedback graphql grpc health healthz help home host hosts image images info internal invite jobs
   join legal livez localhost log login logout logs mail me members metrics mod moderator new news
   null oauth observability official onboarding openapi operator org organization organizations
   orgs owner password ping plans postmaster pricing privacy profile profiles public ready readyz
   register registry reserved root rpc schema search security service services session sessions
   settings setup share signin signout signup slipway staff static status store support sys system
   team teams template templates terms test token tokens trace traces trust undeploy undefined
   unknown upgrade user users verify version versions web webhook webhooks well-known www`.split(
    /\s+/,
  ),
)

/** Whether a string has the form of an account name. No account has any other name. */
export function isAccountName(text: string): boolean {
  return (
    text.length >= MIN_LENGTH &&
    text.length <= MAX_ACCOUNT_NAME_LENGTH &&
    /^[a-z](-?[a-z0-9])*$/.test(text)
  )
}

/** Returns the problem with a requested account name; undefined if it is allowed. */
export function accountNameProblem(name: string): string | undefined {
  if (!isAccountName(name)) {
    const length = `${MIN_LENGTH} to ${MAX_ACCOUNT_NAME_LENGTH}`
    const characters = 'lower-case letters, digits and single hyphens'
    return `must be ${length} ${characters}, and start with a letter`
  }
  return RESERVED.has(name) ? 'is reserved' : undefined
}

/** Returns the error for a name that belongs to another account or is reserved for one. */
export function accountNameTaken(name: string): FailedPrecondition {
  return new FailedPrecondition(
    'account_name_taken',
    `the account name ${name} is taken; choose another one`,
  )
}

/** The claims that a personal account can be named after; any may be missing. */
export interface PersonNames {
  readonly preferredUsername: string | undefined
  readonly email: string | undefined
  readonly name: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
}

/**
 * Generates valid names for a user's personal account, best first: names made from their claims,
 * the same names with a small number, then with random digits, which are practically always free.
 * `randomHex` returns the given number of hexadecimal digits.
 */
export function* personalAccountNames(
  person: PersonNames,
  randomHex: (digits: number) => string,
): Generator<string> {
  const fullName = [person.givenName, person.familyName]
    .filter((part) => part !== undefined)
    .join(' ')
  const base = [person.preferredUsername, person.email?.split('@')[0], person.name, fullName]
    .map((text) => slugOf(text ?? ''))
    .find((slug) => slug.length >= MIN_LENGTH)
  if (base !== undefined) {
    if (accountNameProblem(base) === undefined) yield base
    for (let number = 2; number <= 5; number++) yield withSuffix(base, String(number))
    for (let attempt = 0; attempt < 3; attempt++) yield withSuffix(base, randomHex(6))
  }
  for (let attempt = 0; attempt < 5; attempt++) yield `user-${randomHex(8)}`
}

/** Converts a string to the form of an account name; empty if nothing is left. */
function slugOf(text: string): string {
  return trimHyphens(
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+/, '')
      .slice(0, MAX_ACCOUNT_NAME_LENGTH),
  )
}

function withSuffix(base: string, suffix: string): string {
  return `${trimHyphens(base.slice(0, MAX_ACCOUNT_NAME_LENGTH - suffix.length - 1))}-${suffix}`
}

function trimHyphens(text: string): string {
  return text.replace(/^-+|-+$/g, '')
}
