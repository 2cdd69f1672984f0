import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { Violations } from '@slipway/shared/errors'
import { readPageSize } from '@slipway/shared/paging'

import { listEntries } from '../db/agent-lists.ts'
import { searchEntries } from '../db/search-entries.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { PAGE_SIZES } from '../domain/page-size.ts'
import { readAgentToken } from '../domain/page-token.ts'
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS, readSearch } from '../domain/search-words.ts'
import { toListResponse } from './mapping.ts'

/** Lists the public agents. */
export function listAgents({
  db,
  limits,
}: CatalogContext): ServiceImpl<typeof AgentService>['listAgents'] {
  return async (request) => {
    const { account, tag } = request
    const search = readSearch(request.query.slice(0, MAX_QUERY_LENGTH))
    const wordCount = search.anywhere.length + search.prefixes.length
    new Violations()
      .require(
        request.query.length <= MAX_QUERY_LENGTH,
        'query',
        `must not be longer than ${MAX_QUERY_LENGTH} characters`,
      )
      .require(
        wordCount <= MAX_QUERY_WORDS,
        'query',
        `must not have more than ${MAX_QUERY_WORDS} words`,
      )
      .throwIfAny()
    const query = {
      pageSize: readPageSize(request.pageSize, PAGE_SIZES),
      after: readAgentToken(request.pageToken),
      maxBytes: limits.pageBytes,
      account: account === '' ? undefined : account,
      tag: tag === '' ? undefined : tag,
      search,
      withSpec: request.includeSpec,
      withReadme: request.includeReadme,
    }
    // Accounts and tags with invalid names don't exist.
    const isPossible = (account === '' || isAccountName(account)) && !tag.includes('\0')
    if (!isPossible) return toListResponse({ rows: [], hasMore: false })
    const isSearch = wordCount > 0 || tag !== ''
    return toListResponse(await (isSearch ? searchEntries(db, query) : listEntries(db, query)))
  }
}
