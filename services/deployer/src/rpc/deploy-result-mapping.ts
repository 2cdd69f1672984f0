import { create } from '@bufbuild/protobuf'
import {
  ResourceResultSchema,
  ResourceStatus,
  RolloutSchema,
  type ResourceResult as ResourceResultMessage,
  type Rollout as RolloutMessage,
} from '@slipway/proto/slipway/deployer/v1/deploy_result'
import {
  DeploymentState,
  ServiceEndpointSchema,
  ServiceEndpointType,
  type ServiceEndpoint,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import { valueOf } from '@slipway/shared/enum-names'

import type { Endpoint } from '../domain/endpoint.ts'
import type { ResourceResult } from '../domain/states.ts'
import type { RolloutView } from '../operations/wait-for-rollout.ts'

/** Converts the result for an object to its proto message. */
export function toResourceResult(result: ResourceResult): ResourceResultMessage {
  return create(ResourceResultSchema, { ...result, status: valueOf(ResourceStatus, result.status) })
}

/** Converts an endpoint to its proto message. */
export function toServiceEndpoint(endpoint: Endpoint): ServiceEndpoint {
  return create(ServiceEndpointSchema, {
    ...endpoint,
    type: valueOf(ServiceEndpointType, endpoint.type),
  })
}

/** Converts the state of a rollout to its proto message. */
export function toRollout(rollout: RolloutView): RolloutMessage {
  return create(RolloutSchema, {
    state: valueOf(DeploymentState, rollout.state),
    reason: rollout.reason,
    waitInterrupted: rollout.isInterrupted,
    components: rollout.components.map(({ name, state, reason }) => ({
      name,
      state: valueOf(DeploymentState, state),
      reason,
    })),
  })
}
