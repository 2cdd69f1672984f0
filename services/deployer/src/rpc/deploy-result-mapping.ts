import { create } from '@bufbuild/protobuf'
import {
  ResourceResultSchema,
  ResourceStatus as ResourceStatusMessage,
  RolloutSchema,
  type ResourceResult as ResourceResultMessage,
  type Rollout as RolloutMessage,
} from '@slipway/proto/slipway/deployer/v1/deploy_result'
import {
  ServiceEndpointSchema,
  ServiceEndpointType,
  type ServiceEndpoint,
} from '@slipway/proto/slipway/deployer/v1/deployment'

import type { Endpoint, EndpointType } from '../domain/endpoint.ts'
import type { ResourceResult, ResourceStatus } from '../domain/states.ts'
import type { RolloutView } from '../operations/wait-for-rollout.ts'
import { toStateMessage } from '../events/state-message.ts'

const RESOURCE_STATUSES: Readonly<Record<ResourceStatus, ResourceStatusMessage>> = {
  created: ResourceStatusMessage.CREATED,
  updated: ResourceStatusMessage.UPDATED,
  unchanged: ResourceStatusMessage.UNCHANGED,
  pruned: ResourceStatusMessage.PRUNED,
  failed: ResourceStatusMessage.FAILED,
}

const ENDPOINT_TYPES: Readonly<Record<EndpointType, ServiceEndpointType>> = {
  http: ServiceEndpointType.HTTP,
  web: ServiceEndpointType.WEB,
  slack: ServiceEndpointType.SLACK,
  webhook: ServiceEndpointType.WEBHOOK,
}

/** Converts the result for an object to its proto message. */
export function toResourceResult(result: ResourceResult): ResourceResultMessage {
  return create(ResourceResultSchema, { ...result, status: RESOURCE_STATUSES[result.status] })
}

/** Converts an endpoint to its proto message. */
export function toServiceEndpoint(endpoint: Endpoint): ServiceEndpoint {
  return create(ServiceEndpointSchema, { ...endpoint, type: ENDPOINT_TYPES[endpoint.type] })
}

/** Converts the state of a rollout to its proto message. */
export function toRollout(rollout: RolloutView): RolloutMessage {
  return create(RolloutSchema, {
    state: toStateMessage(rollout.state),
    reason: rollout.reason,
    waitInterrupted: rollout.isInterrupted,
    components: rollout.components.map(({ name, state, reason }) => ({
      name,
      state: toStateMessage(state),
      reason,
    })),
  })
}
