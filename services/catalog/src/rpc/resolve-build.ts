import type { ServiceImpl } from '@connectrpc/connect'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'

import { findAccountName } from '../db/accounts.ts'
import { findDeployableBuild } from '../db/resolve.ts'
import type { CatalogContext } from '../context.ts'
import { isAccountName } from '../domain/account-name.ts'
import { isAgentName } from '../domain/check-build.ts'
import { isAccountId } from '../domain/ids.ts'
import { parseImageDigests } from './mapping.ts'
import { accountNotFound, noBuilds } from '../domain/missing.ts'

/** Returns the build to deploy, for the deployer. */
export function resolveBuild({
  db,
}: CatalogContext): ServiceImpl<typeof AgentService>['resolveBuild'] {
  return async ({ accountId, sourceAccount, name }) => {
    const account = isAccountId(accountId) ? await findAccountName(db, accountId) : undefined
    if (account === undefined) throw accountNotFound()
    const source = sourceAccount === '' ? account : sourceAccount
    const build =
      isAccountName(source) && isAgentName(name)
        ? await findDeployableBuild(db, {
            account: source,
            name,
            viewer: { accountId },
            spec: 'yaml',
          })
        : undefined
    if (build === undefined || build.build_id === null) throw noBuilds()
    return {
      account,
      sourceAccountId: build.account_id,
      sourceAccount: build.account,
      agentId: build.agent_id ?? '',
      buildId: build.build_id,
      registry: build.registry,
      specContent: build.spec,
      imageDigests: parseImageDigests(build.image_digests_json),
      ...(build.version !== null && { version: build.version }),
    }
  }
}
