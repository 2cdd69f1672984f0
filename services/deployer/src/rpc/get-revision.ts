import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { PreviousValues } from '@slipway/agent-spec'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import {
  GetRevisionResponseSchema,
  RevisionSettingsSchema,
  type RevisionSettings,
} from '@slipway/proto/slipway/deployer/v1/revision'
import { NotFound, Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment } from '../db/deployments.ts'
import { findListedRevision } from '../db/revision-lists.ts'
import { toRevision } from './deployment-mapping.ts'

/** Returns a revision of a live deployment with its settings. */
export function getRevision(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['getRevision'] {
  return async ({ account, name, revision }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const deployment = await requireLiveDeployment(context.db, accountId, name)
    const found = await findListedRevision(context.db, deployment.id, revision)
    if (found === undefined)
      throw new NotFound('revision_not_found', `agent ${name} has no revision ${revision}`)
    return create(GetRevisionResponseSchema, {
      revision: toRevision(found, deployment),
      settings: toSettings(found.selection),
    })
  }
}

function toSettings(selection: PreviousValues): RevisionSettings {
  const { interfaces, schedules, overrides, credentialKeys } = selection
  return create(RevisionSettingsSchema, {
    interfaces: interfaces.toSorted(),
    schedules: { ...schedules },
    overridesJson: JSON.stringify(overrides),
    credentialKeys: credentialKeys.toSorted(),
  })
}
