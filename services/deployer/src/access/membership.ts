import type { HandlerContext } from '@connectrpc/connect'
import type { Client } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import type { ServiceTokenSource, UserCaller } from '@slipway/shared/auth'
import { PermissionDenied } from '@slipway/shared/errors'
import { continueAsService, requireUser, toDomainError } from '@slipway/shared/rpc'

/** Grants are believed this long; denials are asked for again each time. */
const GRANT_MS = 5_000
const MAX_GRANTS = 10_000

/** A member's place in an account. */
export interface Membership {
  readonly accountId: string
  readonly userId: string
}

/** An account by its name, or by its id. */
interface AccountRef {
  readonly account?: string
  readonly accountId?: string
}

interface Grant extends Membership {
  readonly until: number
}

/** Who may act for which account: the catalog's answer, believed for a moment. */
export class Memberships {
  readonly #accounts: Client<typeof AccountService>
  readonly #serviceToken: ServiceTokenSource
  readonly #now: () => number
  readonly #grants = new Map<string, Grant>()
  /** Moves with each drop, so that an answer that was under way meanwhile isn't kept. */
  #generation = 0

  constructor(
    accounts: Client<typeof AccountService>,
    serviceToken: ServiceTokenSource,
    now: () => number = () => performance.now(),
  ) {
    this.#accounts = accounts
    this.#serviceToken = serviceToken
    this.#now = now
  }

  /**
   * The caller's place in the account called `account`. NotFound `account_not_found` when there is
   * none, PermissionDenied when the caller is no member.
   */
  async require(call: HandlerContext, account: string): Promise<Membership> {
    return await this.#find(call, { account })
  }

  /** As `require`, for an account that is known by its id: a rename takes nobody's place. */
  async requireById(call: HandlerContext, accountId: string): Promise<Membership> {
    return await this.#find(call, { accountId })
  }

  /** Forgets the grants of one account, or all. */
  drop(accountId?: string): void {
    this.#generation++
    for (const [key, grant] of this.#grants) {
      if (accountId === undefined || grant.accountId === accountId) this.#grants.delete(key)
    }
  }

  async #find(call: HandlerContext, account: AccountRef): Promise<Membership> {
    const caller = requireUser(call)
    const key = JSON.stringify([caller.realm, caller.subject, account])
    const known = this.#grants.get(key)
    if (known !== undefined && known.until > this.#now()) return known
    this.#grants.delete(key)
    return await this.#ask(call, caller, account, key)
  }

  async #ask(
    call: HandlerContext,
    caller: UserCaller,
    account: AccountRef,
    key: string,
  ): Promise<Membership> {
    const generation = this.#generation
    const askedAt = this.#now()
    const options = await continueAsService(call, this.#serviceToken)
    const answer = await this.#accounts
      .checkAccess({ ...account, realm: caller.realm, subject: caller.subject }, options)
      .catch((error: unknown) => {
        throw toDomainError(error)
      })
    if (answer.role === Role.UNSPECIFIED) {
      throw new PermissionDenied(
        'permission_denied',
        `you are not a member of the account${account.account === undefined ? '' : ` ${account.account}`}`,
      )
    }
    const grant = { accountId: answer.accountId, userId: answer.userId, until: askedAt + GRANT_MS }
    if (generation === this.#generation) {
      this.#grants.set(key, grant)
      if (this.#grants.size > MAX_GRANTS)
        this.#grants.delete(this.#grants.keys().next().value ?? '')
    }
    return grant
  }
}
