import type { Client, HandlerContext } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import type {
  AccountService,
  CheckAccessResponse,
} from '@slipway/proto/slipway/catalog/v1/account_service'

import { userKey, type ServiceTokenSource, type UserCaller } from '../auth/index.ts'
import { NotFound } from '../errors.ts'
import { LoadingCache } from '../loading-cache.ts'
import {
  awaitShared,
  callAsService,
  requestOrigin,
  requireUser,
  toDomainError,
} from '../rpc/index.ts'

/** How long a grant is cached. Denials are not cached. */
const GRANT_MS = 5_000
const MAX_GRANTS = 10_000
const CHECK_TIMEOUT_MS = 5_000

/** An account, by its name or its id, and possibly an agent of it. */
export interface AskedAccount {
  readonly account?: string
  readonly accountId?: string
  readonly agent?: string
}

/** The catalog, and what a service keeps of its responses. */
export interface MembershipOptions<Grant> {
  readonly accounts: Client<typeof AccountService>
  readonly serviceToken: ServiceTokenSource
  /** What to keep of the membership of a caller. */
  readonly toGrant: (access: CheckAccessResponse, asked: AskedAccount) => Grant
  /** The error for a caller who isn't a member. `cause` is set if there is no such account. */
  readonly toDenial: (caller: UserCaller, asked: AskedAccount, cause?: NotFound) => Error
  readonly grantMs?: number | undefined
}

/** Checks with the catalog whether users may act for an account. */
export class Memberships<Grant extends { readonly accountId: string }> {
  readonly #options: MembershipOptions<Grant>
  readonly #grants: LoadingCache<Grant>

  constructor(options: MembershipOptions<Grant>) {
    const { grantMs = GRANT_MS } = options
    this.#options = options
    this.#grants = new LoadingCache({
      maxEntries: MAX_GRANTS,
      freshUntil: (_, askedAt) => askedAt + grantMs,
      groupOf: ({ accountId }) => accountId,
    })
  }

  /** Returns the caller's grant in the account of this name. Throws the service's denial. */
  async require(call: HandlerContext, account: string, agent?: string): Promise<Grant> {
    return await this.#find(call, { account, ...(agent !== undefined && { agent }) })
  }

  /** Like `require`, by the account's id, which a rename doesn't change. */
  async requireById(call: HandlerContext, accountId: string): Promise<Grant> {
    return await this.#find(call, { accountId })
  }

  /** Drops the cached grants of one account, or all of them. */
  drop(accountId?: string): void {
    this.#grants.invalidate(accountId)
  }

  async #find(call: HandlerContext, asked: AskedAccount): Promise<Grant> {
    const caller = requireUser(call)
    const key = JSON.stringify([caller.realm, caller.subject, asked])
    const check = () => this.#check(call, caller, asked)
    return (
      this.#grants.get(key) ?? (await awaitShared(call, this.#grants.load(key, check), 'catalog'))
    )
  }

  async #check(call: HandlerContext, caller: UserCaller, asked: AskedAccount): Promise<Grant> {
    const { accounts, serviceToken, toGrant, toDenial } = this.#options
    const options = await callAsService(serviceToken, CHECK_TIMEOUT_MS, requestOrigin(call))
    const { realm, subject } = caller
    const access = await accounts
      .checkAccess({ ...asked, realm, subject, countsFor: userKey(caller) }, options)
      .catch((error: unknown) => {
        const cause = toDomainError(error)
        throw cause instanceof NotFound ? toDenial(caller, asked, cause) : cause
      })
    if (access.role === Role.UNSPECIFIED) throw toDenial(caller, asked)
    return toGrant(access, asked)
  }
}
