import type { Client, HandlerContext } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { userKey, type ServiceTokenSource } from '@slipway/shared/auth'
import { NotFound, PermissionDenied } from '@slipway/shared/errors'
import { LoadingCache } from '@slipway/shared/loading-cache'
import {
  awaitShared,
  callAsService,
  requestOrigin,
  requireUser,
  toDomainError,
} from '@slipway/shared/rpc'

import type { TracedAgent } from '../domain/traced-agent.ts'

/** How long a grant is cached. Denials are not cached. */
const GRANT_MS = 5_000
const MAX_GRANTS = 10_000
const CHECK_TIMEOUT_MS = 5_000

/** Checks whether the caller may see an account's traces. */
export interface AccessChecker {
  /**
   * Returns whose spans to read; `agent` may be empty. Throws PermissionDenied when the account is
   * unknown or the caller is not a member.
   */
  requireMember(call: HandlerContext, of: { account: string; agent: string }): Promise<TracedAgent>
  /** Drops the cached grants of one account, or all of them. */
  drop(accountId?: string): void
}

interface CheckedAccess {
  readonly account: string
  readonly agent: string
  readonly realm: string
  readonly subject: string
  readonly countsFor: string
}

/** Calls the catalog, with the service's own token, and caches grants for `grantMs`. */
export function createAccessChecker(
  accounts: Client<typeof AccountService>,
  serviceToken: ServiceTokenSource,
  grantMs = GRANT_MS,
): AccessChecker {
  const grants = new LoadingCache<TracedAgent>({
    maxEntries: MAX_GRANTS,
    freshUntil: (_, askedAt) => askedAt + grantMs,
    groupOf: ({ accountId }) => accountId,
  })

  return {
    async requireMember(call, { account, agent }) {
      const caller = requireUser(call)
      const { realm, subject } = caller
      const key = JSON.stringify([account, agent, realm, subject])
      const request = { account, agent, realm, subject, countsFor: userKey(caller) }
      const check = () => checkAccess(request, call)
      return grants.get(key) ?? (await awaitShared(call, grants.load(key, check), 'catalog'))
    },
    drop(accountId) {
      grants.invalidate(accountId)
    },
  }

  async function checkAccess(request: CheckedAccess, call: HandlerContext): Promise<TracedAgent> {
    try {
      const options = await callAsService(serviceToken, CHECK_TIMEOUT_MS, requestOrigin(call))
      const found = await accounts.checkAccess(request, options)
      if (found.role === Role.UNSPECIFIED) throw notAMember()
      const { accountId, agentId, agentCreateTime: since } = found
      const agentSinceNs = since ? since.seconds * 1_000_000_000n + BigInt(since.nanos) : 0n
      return { accountId, agent: request.agent, agentId, agentSinceNs }
    } catch (error) {
      const cause = toDomainError(error)
      if (cause instanceof NotFound) throw notAMember(cause)
      throw cause
    }
  }
}

/**
 * The error for an unknown account is the same, so that traces don't reveal which accounts exist.
 */
function notAMember(cause?: unknown): PermissionDenied {
  return new PermissionDenied(
    'permission_denied',
    'only members of the account may see its traces',
    { cause },
  )
}
