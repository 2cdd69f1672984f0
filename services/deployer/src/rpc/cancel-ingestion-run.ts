import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  CancelIngestionRunResponseSchema,
  type IngestionService,
} from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { Violations } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { cancelRun } from '../operations/cancel-run.ts'
import { toRun } from './ingestion-mapping.ts'
import { ingestionOfCall } from './ingestion-of-call.ts'

/** Ends a run of an ingestion. */
export function cancelIngestionRun(
  context: DeployerContext,
): ServiceImpl<typeof IngestionService>['cancelIngestionRun'] {
  return async (request, call) => {
    new Violations().requireFilled({ run: request.run }).throwIfAny()
    const ingestion = await ingestionOfCall(context, request, call)
    const run = await cancelRun(context, ingestion, request.run, call.signal)
    return create(CancelIngestionRunResponseSchema, { run: toRun(run) })
  }
}
