import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  SuspendIngestionResponseSchema,
  type IngestionService,
} from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { latestRuns } from '../db/ingestion-runs.ts'
import { suspendSchedule } from '../operations/suspend-ingestion.ts'
import { toIngestion } from './ingestion-mapping.ts'

/** Suspends or resumes the schedule of an ingestion. */
export function suspendIngestion(
  context: DeployerContext,
): ServiceImpl<typeof IngestionService>['suspendIngestion'] {
  return async ({ account, name, ingestion, suspended }, call) => {
    new Violations().requireFilled({ account, name, ingestion }).throwIfAny()
    const { accountId, userId } = await context.memberships.require(call, account)
    const target = { accountId, agent: name }
    const choice = { name: ingestion, suspended }
    const changed = await suspendSchedule(context, target, choice, { userId, signal: call.signal })
    const runs = await latestRuns(context.db, changed.deployment.id)
    return create(SuspendIngestionResponseSchema, {
      ingestion: toIngestion(changed, runs.get(changed.component)),
    })
  }
}
