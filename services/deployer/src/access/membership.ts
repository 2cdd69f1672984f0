import type { Client, HandlerContext } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { userKey, type ServiceTokenSource, type UserCaller } from '@slipway/shared/auth'
import { PermissionDenied } from '@slipway/shared/errors'
import { LoadingCache } from '@slipway/shared/loading-cache'
import {
  awaitShared,
  callAsService,
  requestOrigin,
  requireUser,
  toDomainError,
} from '@slipway/shared/rpc'

/** How long a grant is cached. Denials are not cached. */
const GRANT_MS = 5_000
const MAX_GRANTS = 10_000
const CHECK_TIMEOUT_MS = 5_000

/** A user's membership in an account. */
export interface Membership {
  readonly accountId: string
  /** The user, or the creator of the machine token. */
  readonly userId: string
}

/** An account, identified by its name or its id. */
interface AccountRef {
  readonly account?: string
  readonly accountId?: string
}

/** Checks with the catalog whether users may act for an account. */
export class Memberships {
  readonly #accounts: Client<typeof AccountService>
  readonly #serviceToken: ServiceTokenSource
  readonly #grants = new LoadingCache<Membership>({
    maxEntries: MAX_GRANTS,
    freshUntil: (_, askedAt) => askedAt + GRANT_MS,
    groupOf: ({ accountId }) => accountId,
  })

  constructor(accounts: Client<typeof AccountService>, serviceToken: ServiceTokenSource) {
    this.#accounts = accounts
    this.#serviceToken = serviceToken
  }

  /**
   * Returns the caller's membership in the account of this name. Throws NotFound
   * `account_not_found` if there is no such account, PermissionDenied if the caller isn't a member.
   */
  async require(call: HandlerContext, account: string): Promise<Membership> {
    return await this.#find(call, { account })
  }

  /** Like `require`, by the account's id, which a rename doesn't change. */
  async requireById(call: HandlerContext, accountId: string): Promise<Membership> {
    return await this.#find(call, { accountId })
  }

  /** Drops the cached grants of one account, or all of them. */
  drop(accountId?: string): void {
    this.#grants.invalidate(accountId)
  }

  async #find(call: HandlerContext, account: AccountRef): Promise<Membership> {
    const caller = requireUser(call)
    const key = JSON.stringify([caller.realm, caller.subject, account])
    return (
      this.#grants.get(key) ??
      (await awaitShared(
        call,
        this.#grants.load(key, () => this.#check(call, caller, account)),
        'catalog',
      ))
    )
  }

  async #check(call: HandlerContext, caller: UserCaller, account: AccountRef): Promise<Membership> {
    const options = await callAsService(this.#serviceToken, CHECK_TIMEOUT_MS, requestOrigin(call))
    const { realm, subject } = caller
    const { accountId, userId, role } = await this.#accounts
      .checkAccess({ ...account, realm, subject, countsFor: userKey(caller) }, options)
      .catch((error: unknown) => {
        throw toDomainError(error)
      })
    if (role === Role.UNSPECIFIED) {
      const name = account.account === undefined ? '' : ` ${account.account}`
      const message =
        caller.machineToken === undefined
          ? `you are not a member of the account${name}`
          : `the machine token is revoked, or is not one of the account${name}`
      throw new PermissionDenied('permission_denied', message)
    }
    return { accountId, userId }
  }
}
