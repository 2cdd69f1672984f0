import { DeployStatus, ResourceStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import {
  ComponentKind,
  DeploymentState,
  ServiceEndpointType,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import { RevisionState } from '@slipway/proto/slipway/deployer/v1/revision'
import { namesOf } from '@slipway/shared/enum-names'

import { Choice } from '../../http/schemas/kinds.ts'

export const DeployStatusName = Choice(namesOf(DeployStatus), {
  title: 'DeployStatus',
  description: 'partial: the cluster rejected objects, or the rollout was not ready in time',
})

export const StateName = Choice(namesOf(DeploymentState), {
  title: 'DeploymentState',
  description:
    'State of a deployment or component. degraded: it was ready, and some pods no longer are. ' +
    'failed: it cannot become ready by itself',
})

export const ResourceStatusName = Choice(namesOf(ResourceStatus), {
  title: 'ResourceStatus',
  description: 'What a deploy did with an object of the cluster',
})

export const EndpointTypeName = Choice([...namesOf(ServiceEndpointType), 'unspecified'], {
  title: 'EndpointType',
  description:
    'http is the agent inside the cluster; the others are interfaces. Ignore unspecified ones: ' +
    'the service knows more types than this API',
})

export const ComponentKindName = Choice([...namesOf(ComponentKind), 'unspecified'], {
  title: 'ComponentKind',
  description: 'Section of the spec that a component is from',
})

export const RevisionStateName = Choice(namesOf(RevisionState), {
  title: 'RevisionState',
  description:
    'partial: the cluster rejected objects. failed: nothing was applied. superseded: replaced ' +
    'by a later revision',
})

export const EventTypeName = Choice(
  [...namesOf(DeploymentEventType).filter((name) => name !== 'resumed'), 'unspecified'],
  {
    title: 'DeploymentEventType',
    description: 'Ignore unspecified events: the service knows more types than this API',
  },
)
