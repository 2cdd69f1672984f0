import { create } from '@bufbuild/protobuf'
import {
  DeploymentState as StateMessage,
  ResourceResultSchema,
  ResourceStatus as ResourceStatusMessage,
  RolloutSchema,
  ServiceEndpointSchema,
  type ResourceResult as ResourceResultMessage,
  type Rollout as RolloutMessage,
  type ServiceEndpoint,
} from '@slipway/proto/slipway/deployer/v1/deployment'

import type { DeploymentState, ResourceResult, ResourceStatus } from '../domain/states.ts'
import type { Endpoint } from '../manifests/render.ts'
import type { RolloutView } from '../operations/wait-for-rollout.ts'

const STATES: Readonly<Record<DeploymentState, StateMessage>> = {
  progressing: StateMessage.PROGRESSING,
  ready: StateMessage.READY,
  degraded: StateMessage.DEGRADED,
  failed: StateMessage.FAILED,
  undeploying: StateMessage.UNDEPLOYING,
  undeployed: StateMessage.UNDEPLOYED,
}

const RESOURCE_STATUSES: Readonly<Record<ResourceStatus, ResourceStatusMessage>> = {
  created: ResourceStatusMessage.CREATED,
  updated: ResourceStatusMessage.UPDATED,
  unchanged: ResourceStatusMessage.UNCHANGED,
  pruned: ResourceStatusMessage.PRUNED,
  failed: ResourceStatusMessage.FAILED,
}

/** A state as the proto has it. */
export function toStateMessage(state: DeploymentState): StateMessage {
  return STATES[state]
}

/** The result for one object as the proto has it. */
export function toResourceResult(result: ResourceResult): ResourceResultMessage {
  return create(ResourceResultSchema, { ...result, status: RESOURCE_STATUSES[result.status] })
}

/** An endpoint as the proto has it. */
export function toServiceEndpoint(endpoint: Endpoint): ServiceEndpoint {
  return create(ServiceEndpointSchema, endpoint)
}

/** How far a rollout is, as the proto has it. */
export function toRollout(rollout: RolloutView): RolloutMessage {
  return create(RolloutSchema, {
    state: toStateMessage(rollout.state),
    reason: rollout.reason,
    components: rollout.components.map(({ name, state, reason }) => ({
      name,
      state: toStateMessage(state),
      reason,
    })),
  })
}
