import type { ServiceImpl } from '@connectrpc/connect'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { requiredCredentials } from '@slipway/agent-spec'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { findLiveDeployment } from '../db/deployments.ts'
import { findRevision } from '../db/revisions.ts'
import { CURRENT, currentBuild } from '../plan/choose-build.ts'
import { templateOfBuild } from '../plan/template-of-build.ts'

/** Returns what a deploy of the build of the live revision needs. */
export function getCurrentBuild(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['getCurrentBuild'] {
  return async ({ account, name, version, interfaces }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const live = await findLiveDeployment(context.db, accountId, name)
    const revision =
      typeof live?.live_revision === 'number'
        ? await findRevision(context.db, live.id, live.live_revision)
        : undefined
    const target = { accountId, account, agent: name, sourceAccount: '', buildId: CURRENT, version }
    const build = currentBuild(target, live, revision)
    const { spec, template } = templateOfBuild(context, build, {
      agent: name,
      namespace: live?.k8s_namespace ?? '',
    })
    const { providers } = context.config.workloads.template
    return {
      buildId: build.buildId,
      credentials: requiredCredentials(spec, { interfaces, providers }),
      templateJson: JSON.stringify(template),
      ...(build.version !== undefined && { version: build.version }),
    }
  }
}
