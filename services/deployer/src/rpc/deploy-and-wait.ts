import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type {
  DeployAndWaitRequest,
  DeployAndWaitResponseSchema,
} from '@slipway/proto/slipway/deployer/v1/deploy_and_wait'
import type { DeployResult } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import {
  DeployRequestSchema,
  RollbackRequestSchema,
  type DeploymentService,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { invalidField } from '@slipway/shared/errors'

import { reportAppliedKey } from './deploy-answer.ts'

type Handlers = Pick<ServiceImpl<typeof DeploymentService>, 'deploy' | 'rollback'>
type Response = MessageInitShape<typeof DeployAndWaitResponseSchema>

/** Deploys or rolls back by `handlers`, and streams the result before and after the wait. */
export function deployAndWait(
  handlers: () => Handlers,
): ServiceImpl<typeof DeploymentService>['deployAndWait'] {
  return async function* (request, call) {
    const applied = Promise.withResolvers<DeployResult>()
    call.values.set(reportAppliedKey, applied.resolve)
    const waited = run(handlers(), request, call)
    const first = await Promise.race([waited, applied.promise.then((result) => ({ result }))])
    yield first
    const last = await waited
    if (last !== first) yield last
  }
}

async function run(
  { deploy, rollback }: Handlers,
  { operation, wait }: DeployAndWaitRequest,
  call: HandlerContext,
): Promise<Response> {
  const waiting = wait && { wait }
  switch (operation.case) {
    case 'deploy': {
      const request = create(DeployRequestSchema, { target: operation.value, ...waiting })
      return responseOf(await deploy(request, call))
    }
    case 'rollback': {
      const { account, name, revision } = operation.value
      const choice = revision === undefined ? {} : { revision }
      const request = create(RollbackRequestSchema, { account, name, ...choice, ...waiting })
      return responseOf(await rollback(request, call))
    }
    case undefined:
      throw invalidField('operation', 'is required')
  }
}

function responseOf({ result }: { result?: Response['result'] | undefined }): Response {
  return result === undefined ? {} : { result }
}
