import type { Client, HandlerContext } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import type { ServiceTokenSource } from '@slipway/shared/auth'
import { NotFound, PermissionDenied } from '@slipway/shared/errors'
import { continueAsService, requireUser, toDomainError } from '@slipway/shared/rpc'

/** A grant is believed for this long, unless an event drops it sooner. */
const GRANT_MS = 5_000
const MAX_GRANTS = 10_000

/** Tells whether the caller may see an account's traces. */
export interface AccessChecker {
  /**
   * The account's id. Throws PermissionDenied when the account is unknown or the caller is no
   * member.
   */
  requireMember(account: string, call: HandlerContext): Promise<string>
  /** Forgets every grant: memberships or names may have changed. */
  forget(): void
}

/**
 * Asks the catalog, with the service's own token, and remembers grants for a moment; denials never.
 */
export function createAccessChecker(
  accounts: Client<typeof AccountService>,
  serviceToken: ServiceTokenSource,
  grantMs = GRANT_MS,
): AccessChecker {
  const grants = new Map<string, { accountId: string; until: number }>()
  let generation = 0

  return {
    async requireMember(account, call) {
      const { realm, subject } = requireUser(call)
      const key = JSON.stringify([account, realm, subject])
      const known = grants.get(key)
      if (known !== undefined && known.until > performance.now()) return known.accountId
      grants.delete(key)

      const askedIn = generation
      const until = performance.now() + grantMs
      const accountId = await ask({ account, realm, subject }, call)
      // What was asked before a change and answered after it is not to be remembered.
      if (askedIn === generation) grants.set(key, { accountId, until })
      if (grants.size > MAX_GRANTS) grants.delete(grants.keys().next().value ?? '')
      return accountId
    },
    forget() {
      generation += 1
      grants.clear()
    },
  }

  async function ask(
    request: { account: string; realm: string; subject: string },
    call: HandlerContext,
  ): Promise<string> {
    try {
      const { accountId, role } = await accounts.checkAccess(
        request,
        await continueAsService(call, serviceToken),
      )
      if (role === Role.UNSPECIFIED) throw notAMember()
      return accountId
    } catch (error) {
      const cause = toDomainError(error)
      if (cause instanceof NotFound) throw notAMember(cause)
      throw cause
    }
  }
}

/** The same for an unknown account: traces say nothing about which accounts there are. */
function notAMember(cause?: unknown): PermissionDenied {
  return new PermissionDenied(
    'permission_denied',
    'only members of the account may see its traces',
    { cause },
  )
}
