import { Type } from 'typebox'

import { about, AnyText, Count, Time } from '../../http/schemas/kinds.ts'
import {
  AccountName,
  AgentName,
  BuildId,
  Cursor,
  Namespace,
  UserId,
  VersionName,
} from '../names.ts'
import { ComponentKindName, EventTypeName, StateName } from './choices.ts'
import { deploymentExample, deploymentListExample, rotatedExample } from './examples.ts'
import { Failures } from './failure-schema.ts'
import { ServiceEndpoint } from './schemas.ts'

const componentMembers = {
  name: AnyText('Name of the component'),
  kind: ComponentKindName,
  state: StateName,
  reason: Type.Optional(AnyText('Why it is not ready')),
  pod_count: Count('Number of pods'),
  ready_pod_count: Count('Number of ready pods'),
}

const deploymentMembers = {
  name: AgentName,
  state: StateName,
  reason: Type.Optional(AnyText('Why it is not ready, from the pods')),
  revision: Count('The revision in the cluster; 0 if none was ever applied'),
  build_id: about(BuildId, 'The deployed build'),
  version: Type.Optional(about(VersionName, 'Version of the build, if it was published')),
  source_account: Type.Optional(
    about(AccountName, 'Account that owns the agent, if not the deploying account'),
  ),
  k8s_namespace: Namespace,
  deployed_at: Time('When it was last deployed'),
  deployed_by: about(UserId, 'The user who last deployed it'),
  service_endpoints: Type.Array(ServiceEndpoint, { description: 'Addresses of the agent' }),
}

const Pod = Type.Object(
  {
    name: AnyText('Name of the pod'),
    phase: AnyText('Phase of the pod in Kubernetes'),
    ready: Type.Boolean({ description: 'Whether all its containers are ready' }),
    restarts: Count('Number of restarts of its containers'),
    reason: Type.Optional(AnyText('Why it is not ready')),
    last_exit: Type.Optional(
      Type.Object(
        {
          reason: AnyText('One word of Kubernetes'),
          exit_code: Type.Integer({ description: 'Its exit code' }),
          time: Type.Optional(Time('When it ended')),
        },
        {
          title: 'PodExit',
          description: 'How a container ended before its last restart',
        },
      ),
    ),
    former: Type.Optional(
      Type.Boolean({
        description: 'Whether it has the configuration of an earlier revision; absent if not',
      }),
    ),
  },
  { title: 'Pod', description: 'A pod of a component' },
)

export const Deployment = Type.Object(
  {
    ...deploymentMembers,
    components: Type.Array(
      Type.Object(
        { ...componentMembers, pods: Type.Array(Pod, { description: 'Its pods' }) },
        { title: 'Component', description: 'A component of a deployment with its pods' },
      ),
      { description: 'Sorted by name' },
    ),
    failures: Type.Optional(Failures),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          '`failures: reason` if the cluster did not say why components are not ready, and as ' +
          '`component: reason` what is wrong with those that are ready',
      }),
    ),
  },
  {
    title: 'Deployment',
    description: 'The state of a deployment',
    examples: [deploymentExample],
  },
)

export const DeploymentList = Type.Object(
  {
    deployments: Type.Array(
      Type.Object(
        {
          ...deploymentMembers,
          components: Type.Array(
            Type.Object(componentMembers, {
              title: 'ComponentSummary',
              description: 'A component of a deployment',
            }),
            { description: 'Sorted by name' },
          ),
        },
        { title: 'DeploymentSummary', description: 'The state of a deployment without its pods' },
      ),
      { description: 'Sorted by agent name' },
    ),
    count: Count('Number of deployments in the response'),
    next_cursor: Type.Optional(Cursor),
  },
  {
    title: 'DeploymentList',
    description: 'A page of deployments',
    examples: [deploymentListExample],
  },
)

/** Pagination of deployments and revisions. */
export const PageQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Maximum number of entries in the response',
  }),
  cursor: Type.Optional(about(Cursor, 'next_cursor of the previous page')),
})

/** `?grace=SECONDS` of a rotation. */
export const GraceQuery = Type.Object({
  grace: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description:
        'Seconds for which former tokens stay valid at most, also those of earlier rotations; 0 ' +
        'ends them at once. By default, they end a minute after the deployment is ready with the ' +
        'new token, and after an hour at the latest',
    }),
  ),
})

export const RotatedToken = Type.Object(
  {
    message: AnyText('Confirmation'),
    rotated_at: Time('When the new token was created'),
    former_token_expires_at: Type.Optional(
      Time('Until when the previous token is valid at most; absent if it has ended'),
    ),
  },
  {
    title: 'RotatedIngestToken',
    description: 'The token was replaced',
    examples: [rotatedExample],
  },
)

export const DeploymentEvent = Type.Object(
  {
    type: EventTypeName,
    time: Time('When it happened'),
    revision: Count('The revision that it is about'),
    build_id: AnyText('The build of the revision; empty if there is none'),
    state: Type.Optional(StateName),
    reason: Type.Optional(AnyText('Why it is not ready')),
    errors: Type.Optional(
      Type.Array(Type.String(), { description: 'Problems as `Kind/name: reason`' }),
    ),
  },
  { title: 'DeploymentEvent', description: 'The data of a server-sent event, as JSON' },
)

/** A server-sent event of a deployment, as a client parses it. */
export const ServerSentEvent = Type.Object(
  {
    id: AnyText('Send it as Last-Event-ID to resume after this event'),
    event: EventTypeName,
    data: Type.String({
      contentMediaType: 'application/json',
      contentSchema: DeploymentEvent,
      description: 'A DeploymentEvent as JSON',
    }),
  },
  { title: 'ServerSentEvent', description: 'An event of the stream, parsed' },
)
