import { randomBytes } from 'node:crypto'

import type { UserCaller } from '@slipway/shared/auth'
import { transaction } from '@slipway/shared/db'
import { Unavailable } from '@slipway/shared/errors'
import type { RequestOrigin } from '@slipway/shared/rpc'

import { claimAccountName, insertAccount } from '../db/accounts.ts'
import { findUser, insertUser, updateClaims, type Claims, type UserRow } from '../db/users.ts'
import type { CatalogContext } from '../context.ts'
import { personalAccountNames } from '../domain/account-name.ts'
import { appendAccountCreated } from '../events.ts'

/**
 * Returns a person with the claims of their current token, and what their issuer adds to them.
 * Stores a new user, with a personal account.
 */
export async function ensureUser(
  context: CatalogContext,
  person: UserCaller,
  origin: RequestOrigin,
): Promise<UserRow> {
  const caller = await context.userInfo.complete(person)
  const identity = { realm: caller.realm, subject: caller.subject }
  const claims = claimsOf(caller)
  let user = await findUser(context.db, identity)
  if (user === undefined) {
    await createUser(context, origin, caller, claims)
    user = await findUser(context.db, identity)
    if (user === undefined) throw new Error('the user is missing after it was stored')
  }
  const current = {
    ...user,
    email: claims.email ?? user.email,
    first_name: claims.firstName ?? user.first_name,
    last_name: claims.lastName ?? user.last_name,
  }
  const differs =
    current.email !== user.email ||
    current.first_name !== user.first_name ||
    current.last_name !== user.last_name
  if (differs && isNewer(claims, user.claims_time))
    await updateClaims(context.db, { userId: user.id, claims })
  return current
}

async function createUser(
  { db, randomId }: CatalogContext,
  origin: RequestOrigin,
  caller: UserCaller,
  claims: Claims,
): Promise<void> {
  await transaction(db, async (trx) => {
    const userId = randomId()
    // One of several concurrent first calls succeeds; the others wait here until it commits.
    if (!(await insertUser(trx, { id: userId, identity: caller, claims }))) return
    const accountId = randomId()
    for (const name of personalAccountNames(caller.profile, (digits) =>
      randomBytes(digits).toString('hex').slice(0, digits),
    )) {
      if (!(await claimAccountName(trx, { name, accountId }))) continue
      await insertAccount(trx, { id: accountId, name, type: 'personal', ownerId: userId })
      await appendAccountCreated(trx, { accountId, name }, origin)
      return
    }
    throw new Unavailable('account_name_unavailable', 'no free account name was found; try again')
  })
}

/** Otherwise two tokens with different claims would replace those of each other all the time. */
function isNewer({ time }: Claims, known: Date | null): boolean {
  return time === null || known === null || time >= known
}

function claimsOf({ profile, issueTime }: UserCaller): Claims {
  const { email = null, givenName = null, familyName = null } = profile
  return { email, firstName: givenName, lastName: familyName, time: issueTime ?? null }
}
