import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  StartIngestionRunResponseSchema,
  type IngestionService,
} from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { FailedPrecondition } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { startIngestion } from '../operations/trigger-ingestion.ts'
import { toRun } from './ingestion-mapping.ts'
import { ingestionOfCall } from './ingestion-of-call.ts'

/** Starts a run of an ingestion of any kind but webhooks. */
export function startIngestionRun(
  context: DeployerContext,
): ServiceImpl<typeof IngestionService>['startIngestionRun'] {
  return async (request, call) => {
    const ingestion = await ingestionOfCall(context, request, call)
    if (ingestion.trigger.type === 'webhook') {
      throw new FailedPrecondition(
        'ingestion_not_manual',
        `the ingestion ${ingestion.name} runs all the time; send a request to its webhook, whose ` +
          'URL is one of the service endpoints of the deployment',
      )
    }
    const run = await startIngestion(context, ingestion, call.signal)
    return create(StartIngestionRunResponseSchema, { run: toRun(run) })
  }
}
