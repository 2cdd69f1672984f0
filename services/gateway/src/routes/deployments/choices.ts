import { Choice } from '../../http/schemas/kinds.ts'

export const DeployStatusName = Choice(['success', 'partial'], {
  title: 'DeployStatus',
  description: 'partial: the cluster rejected objects, or the rollout was not ready in time',
})

export const StateName = Choice(
  ['progressing', 'ready', 'degraded', 'failed', 'undeploying', 'undeployed'],
  {
    title: 'DeploymentState',
    description:
      'State of a deployment or component. degraded: it was ready, and some pods no longer are. ' +
      'failed: it cannot become ready by itself',
  },
)

export const ResourceStatusName = Choice(['created', 'updated', 'unchanged', 'pruned', 'failed'], {
  title: 'ResourceStatus',
  description: 'What a deploy did with an object of the cluster',
})

export const EndpointTypeName = Choice(['http', 'web', 'slack', 'webhook', 'unspecified'], {
  title: 'EndpointType',
  description:
    'http is the agent inside the cluster; the others are interfaces. Ignore unspecified ones: ' +
    'the service knows more types than this API',
})

export const ComponentKindName = Choice(
  ['agent', 'model', 'knowledge', 'tool', 'ingestion', 'messaging', 'unspecified'],
  { title: 'ComponentKind', description: 'Section of the spec that a component is from' },
)

export const RevisionStateName = Choice(
  ['applying', 'applied', 'partial', 'failed', 'superseded'],
  {
    title: 'RevisionState',
    description:
      'partial: the cluster rejected objects. failed: nothing was applied. superseded: replaced ' +
      'by a later revision',
  },
)

export const EventTypeName = Choice(
  [
    'snapshot',
    'requested',
    'applied',
    'partial',
    'failed',
    'state_changed',
    'undeploy_requested',
    'undeployed',
    'ingest_token_rotated',
    'ingestion_failed',
    'unspecified',
  ],
  {
    title: 'DeploymentEventType',
    description: 'Ignore unspecified events: the service knows more types than this API',
  },
)
