import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { compareCodePoints } from '@slipway/agent-spec'
import {
  ListIngestionsResponseSchema,
  type IngestionService,
} from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment } from '../db/deployments.ts'
import { latestRuns } from '../db/ingestion-runs.ts'
import { liveIngestions } from '../operations/find-ingestion.ts'
import { toIngestion } from './ingestion-mapping.ts'

/** Lists the ingestions of the live revision. */
export function listIngestions(
  context: DeployerContext,
): ServiceImpl<typeof IngestionService>['listIngestions'] {
  return async ({ account, name }, call) => {
    new Violations().requireFilled({ account, name }).throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const deployment = await requireLiveDeployment(context.db, accountId, name)
    const [ingestions, latest] = await Promise.all([
      liveIngestions(context, deployment),
      latestRuns(context.db, deployment.id),
    ])
    return create(ListIngestionsResponseSchema, {
      ingestions: ingestions
        .toSorted((a, b) => compareCodePoints(a.name, b.name))
        .map((ingestion) => toIngestion(ingestion, latest.get(ingestion.component))),
    })
  }
}
