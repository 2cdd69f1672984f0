import { DEPLOY_LIMITS } from '@slipway/agent-spec'
import { Type } from 'typebox'

import { AnyText, FreeObject, ProblemBody, Text, TextMap, Time } from '../../http/schemas.ts'

export const DeployBody = Type.Object(
  {
    account: Text('Account that owns the deployment'),
    name: Text('Agent name'),
    source_account: Type.Optional(
      AnyText('Account whose agent is deployed; its latest published version is used'),
    ),
    user_credentials: Type.Optional(
      TextMap('Credentials and required inputs by environment name', {
        maxProperties: DEPLOY_LIMITS.credentials,
      }),
    ),
    interfaces: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Interface adapters to enable',
        maxItems: DEPLOY_LIMITS.interfaces,
      }),
    ),
    schedules: Type.Optional(
      TextMap('Cron schedules by ingestion name', { maxProperties: DEPLOY_LIMITS.schedules }),
    ),
    overrides: Type.Optional(
      FreeObject(
        'Values for editable paths of the deployment template, at most 1 MiB as JSON and 5,000 ' +
          'values, counting mappings, lists and their members. A path has at most 1,000 characters',
        { maxProperties: DEPLOY_LIMITS.overrides },
      ),
    ),
  },
  { title: 'DeployRequest' },
)

const ServiceEndpoint = Type.Object({
  name: Type.String(),
  url: Type.String(),
  type: Type.String(),
})

/** `?wait=SECONDS` of operations that change a deployment. */
export const WaitQuery = Type.Object({
  wait: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description: 'Seconds to wait for the rollout',
  }),
})

const RolloutState = Type.String({
  description: 'progressing, ready, degraded, failed, undeploying or undeployed',
})

export const DeployResult = Type.Object(
  {
    status: Type.Union([Type.Literal('success'), Type.Literal('partial')]),
    name: Type.String(),
    build_id: Type.String(),
    k8s_namespace: Type.String(),
    deployed_at: Time('When the deploy was accepted'),
    revision: Type.Integer({ description: 'The revision that is now live' }),
    resources: Type.Array(
      Type.Object({
        kind: Type.String(),
        name: Type.String(),
        namespace: Type.String(),
        status: AnyText('created, updated, unchanged, pruned or failed'),
        message: Type.Optional(Type.String()),
      }),
    ),
    service_endpoints: Type.Array(ServiceEndpoint),
    errors: Type.Array(Type.String(), { description: 'Problems as `Kind/name: reason`, sorted' }),
    images: TextMap('The image that each component runs, with its digest if it is bound to one'),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Images whose digest the registry did not return, as `path: reason`',
      }),
    ),
    rollout: Type.Optional(
      Type.Object({
        state: RolloutState,
        reason: Type.Optional(Type.String()),
        components: Type.Array(
          Type.Object({
            name: Type.String(),
            state: RolloutState,
            reason: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
  },
  { title: 'DeployResponse' },
)

export const Valid = Type.Object(
  {
    valid: Type.Literal(true),
    build_id: Type.String(),
    name: Type.String(),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Objects that the cluster would reject; only with dry_run=server',
      }),
    ),
  },
  { description: 'The deploy would pass its checks' },
)

/** The problem body of an invalid deploy. */
export const Invalid = Type.Unsafe<object>({
  description:
    'Invalid request body or parameters, or the deploy would fail its checks. ' +
    '`validation_errors` has at most 100 entries, and `detail` says if there are more',
  content: {
    'application/problem+json': {
      schema: Type.Interface(
        [ProblemBody],
        { valid: Type.Literal(false) },
        { title: 'InvalidDeployment' },
      ),
    },
  },
})

export const UndeployBody = Type.Object({
  account: Text('Account that owns the deployment'),
  name: Text('Agent name'),
})

export const UndeployResult = Type.Object(
  {
    status: Type.Literal('success'),
    name: Type.String(),
    build_id: Type.String(),
    k8s_namespace: Type.String(),
    undeployed_at: Time('When the cluster accepted the deletion'),
  },
  { title: 'UndeployResponse' },
)

/** The account whose ownership of the namespace is checked. */
export const OwnerQuery = Type.Object({ account: Text('Account that owns the deployment') })

const Component = Type.Object({
  name: Type.String(),
  kind: AnyText('agent, model, knowledge, tool, ingestion or messaging'),
  state: RolloutState,
  reason: Type.Optional(Type.String()),
})

const deploymentMembers = {
  state: RolloutState,
  reason: Type.Optional(AnyText('Why it is not ready, from the pods')),
  revision: Type.Integer({
    description: 'The revision in the cluster; 0 if none was ever applied',
  }),
  build_id: Type.String(),
  source_account: Type.Optional(
    AnyText('Account that owns the agent, if not the deploying account'),
  ),
  k8s_namespace: Type.String(),
  deployed_at: Time('When it was last deployed'),
  deployed_by: AnyText('Id of the user who last deployed it'),
  service_endpoints: Type.Array(ServiceEndpoint),
}

export const Deployment = Type.Object(
  {
    name: Type.String(),
    ...deploymentMembers,
    components: Type.Array(
      Type.Interface([Component], {
        pods: Type.Array(
          Type.Object({
            name: Type.String(),
            phase: Type.String(),
            ready: Type.Boolean(),
            restarts: Type.Integer(),
            reason: Type.Optional(Type.String()),
          }),
        ),
      }),
      { description: 'Sorted by name' },
    ),
  },
  { title: 'Deployment' },
)

export const DeploymentList = Type.Object(
  {
    deployments: Type.Array(
      Type.Object({ name: Type.String(), ...deploymentMembers, components: Type.Array(Component) }),
    ),
    count: Type.Integer({ description: 'Number of deployments in the response' }),
    next_cursor: Type.Optional(AnyText('Cursor of the next page; absent on the last page')),
  },
  { title: 'DeploymentList', description: 'Sorted by agent name' },
)

/** Pagination of deployments and revisions. */
export const PageQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Maximum number of entries in the response',
  }),
  cursor: Type.Optional(Text('next_cursor of the previous page')),
})

export const RevisionList = Type.Object(
  {
    revisions: Type.Array(
      Type.Object({
        revision: Type.Integer(),
        state: AnyText('applying, applied, partial, failed or superseded'),
        build_id: Type.String(),
        version: Type.Optional(AnyText('Version that the build was published under')),
        created_at: Time('When the revision was created'),
        created_by: AnyText('Id of the user who created it'),
        errors: Type.Array(Type.String()),
        rolled_back_to: Type.Optional(
          Type.Integer({ description: 'The revision that this one is a copy of' }),
        ),
        live: Type.Boolean({ description: 'Whether this revision is in the cluster' }),
        restorable: Type.Boolean({ description: 'Whether a rollback can restore it' }),
      }),
    ),
    count: Type.Integer(),
    next_cursor: Type.Optional(Type.String()),
  },
  { title: 'RevisionList', description: 'Newest first' },
)
