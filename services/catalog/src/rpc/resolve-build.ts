import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'

import { findAccountName } from '../db/accounts.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountId } from '../domain/ids.ts'
import { accountNotFound, noBuilds, shown } from '../domain/missing.ts'
import { findBuild, requireBuild } from './choose-build.ts'
import { parseImageDigests } from './mapping.ts'

/** Returns the build to deploy, for the deployer. */
export function resolveBuild(
  context: CatalogContext,
): ServiceImpl<typeof AgentService>['resolveBuild'] {
  return async ({ accountId, sourceAccount, name, buildId, version }) => {
    const account = isAccountId(accountId)
      ? await findAccountName(context.db, accountId)
      : undefined
    if (account === undefined) throw accountNotFound()
    const source = sourceAccount === '' ? account : sourceAccount
    const query = { account: source, name, buildId, version, viewer: { accountId } } as const
    const found = await findBuild(context, { ...query, spec: 'yaml' })
    if (found === undefined) {
      const hint = 'check source_account; an account that was renamed is only found by its new name'
      throw accountNotFound(`no account is named ${shown(source)}; ${hint}`)
    }
    // To outsiders, an agent without published versions looks like one that doesn't exist.
    if (found.agent_id === null) {
      const kind = found.isInsider ? 'agent' : 'published agent'
      throw noBuilds(`account ${source} has no ${kind} named ${shown(name)}`)
    }
    const build = requireBuild(found, query)
    return {
      account,
      sourceAccountId: build.account_id,
      sourceAccount: build.account,
      agentId: found.agent_id,
      buildId: build.build_id,
      registry: build.registry,
      specContent: build.spec,
      imageDigests: parseImageDigests(build.image_digests_json),
      ...(build.version !== null && { version: build.version }),
      choice: build.choice,
      yanked: build.is_yanked,
    }
  }
}
