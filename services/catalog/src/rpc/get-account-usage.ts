import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'

import type { CatalogContext } from '../context.ts'
import { readStoredContent } from '../db/account-usage.ts'
import { countTokens } from '../db/machine-tokens.ts'
import { countMembers } from '../db/members.ts'
import { requireAccess } from './access.ts'

const LIMITS = ['agents', 'builds', 'catalog_bytes', 'members', 'machine_tokens'] as const

/** Returns how much of its limits an account uses in the catalog. */
export function getAccountUsage(
  context: CatalogContext,
): ServiceImpl<typeof AccountService>['getAccountUsage'] {
  return async ({ account }, call) => {
    const { accountId } = await requireAccess(context, call, { account, role: 'member' })
    const [content, members, tokens] = await Promise.all([
      readStoredContent(context.db, accountId),
      countMembers(context.db, accountId),
      countTokens(context.db, accountId),
    ])
    const bounds = context.accountLimits.of(accountId)
    const used = { ...content, members, machine_tokens: tokens }
    return {
      uses: LIMITS.map((limit) => ({
        limit,
        used: BigInt(used[limit]),
        bound: BigInt(bounds[limit]),
      })),
    }
  }
}
