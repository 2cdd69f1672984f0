import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  SuspendIngestionResponseSchema,
  type IngestionService,
} from '@slipway/proto/slipway/deployer/v1/ingestion_service'

import type { DeployerContext } from '../context.ts'
import { latestRuns } from '../db/ingestion-runs.ts'
import { suspendSchedule } from '../operations/suspend-ingestion.ts'
import { toIngestion } from './ingestion-mapping.ts'
import { ingestionOfCall } from './ingestion-of-call.ts'

/** Suspends or resumes the schedule of an ingestion. */
export function suspendIngestion(
  context: DeployerContext,
): ServiceImpl<typeof IngestionService>['suspendIngestion'] {
  return async (request, call) => {
    const { deployment, name } = await ingestionOfCall(context, request, call)
    const { userId } = await context.memberships.require(call, request.account)
    const target = { accountId: deployment.account_id, agent: deployment.agent }
    const choice = { name, suspended: request.suspended }
    const ingestion = await suspendSchedule(context, target, choice, {
      userId,
      signal: call.signal,
    })
    const runs = await latestRuns(context.db, deployment.id)
    return create(SuspendIngestionResponseSchema, {
      ingestion: toIngestion(ingestion, runs.get(ingestion.component)),
    })
  }
}
