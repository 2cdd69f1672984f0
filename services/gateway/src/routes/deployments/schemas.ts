import { DEPLOY_LIMITS } from '@slipway/agent-spec'
import { Type, type Static } from 'typebox'

import { about, AnyText, FreeObject, TextMap, Time } from '../../http/schemas/kinds.ts'
import { AskedBuild, ChosenBuild } from '../build-choice.ts'
import { AccountName, AgentName, BuildId, Namespace } from '../names.ts'
import { DeployStatusName, EndpointTypeName, ResourceStatusName, StateName } from './choices.ts'
import {
  deployedExample,
  deployExample,
  partialExample,
  rollbackExample,
  undeployedExample,
  undeployExample,
} from './examples.ts'
import { Failures } from './failure-schema.ts'

export const DeployBody = Type.Object(
  {
    account: about(AccountName, 'Account that owns the deployment'),
    name: AgentName,
    source_account: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        'x-document': {
          as: 'AccountName',
          use: 'Account whose agent is deployed; by default the deploying account',
        },
      }),
    ),
    source_account_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Id that the account of the agent must have, as a validation returns it. A deploy ' +
          'fails with `source_account_changed` if its name belongs to another account',
      }),
    ),
    ...AskedBuild,
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
  {
    title: 'DeployRequest',
    description:
      'What to deploy. Credentials, interfaces, schedules and overrides that are left out stay ' +
      'as they are in the live deployment',
    examples: [deployExample],
  },
)

export const ServiceEndpoint = Type.Object(
  {
    name: AnyText('Name of the Service, or of the interface'),
    url: AnyText('Its address'),
    type: EndpointTypeName,
  },
  { title: 'ServiceEndpoint', description: 'An address of a deployment' },
)

/** `?wait=SECONDS` of operations that change a deployment. */
export const WaitQuery = Type.Object({
  wait: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description:
      'Seconds to wait for the rollout. The wait ends early, with status 207 and a warning, when ' +
      'a service stops, for example for an upgrade',
  }),
})

const ResourceResult = Type.Object(
  {
    kind: AnyText('Kind of the object'),
    name: AnyText('Name of the object'),
    namespace: AnyText('Namespace of the object; empty for a Namespace'),
    status: ResourceStatusName,
    message: Type.Optional(AnyText('Why the cluster rejected it')),
  },
  { title: 'ResourceResult', description: 'What a deploy did with an object of the cluster' },
)

const ComponentRollout = Type.Object(
  {
    name: AnyText('Name of the component'),
    state: StateName,
    reason: Type.Optional(AnyText('Why it is not ready')),
  },
  { title: 'ComponentRollout', description: 'A component after waiting for it' },
)

const Rollout = Type.Object(
  {
    state: StateName,
    reason: Type.Optional(AnyText('Why it is not ready')),
    components: Type.Array(ComponentRollout, { description: 'Sorted by name' }),
    failures: Type.Optional(Failures),
  },
  { title: 'Rollout', description: 'The rollout; only with `wait`' },
)

export const DeployResult = Type.Object(
  {
    status: DeployStatusName,
    name: AgentName,
    build_id: about(BuildId, 'The deployed build'),
    ...ChosenBuild,
    k8s_namespace: Namespace,
    deployed_at: Time('When the deploy was accepted'),
    revision: Type.Integer({ description: 'The revision that is now live' }),
    resources: Type.Array(ResourceResult, { description: 'The result of each object' }),
    service_endpoints: Type.Array(ServiceEndpoint, { description: 'Addresses of the agent' }),
    errors: Type.Array(Type.String(), { description: 'Problems as `Kind/name: reason`, sorted' }),
    images: TextMap('The image that each component runs, with its digest if it is bound to one'),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'As `path: reason`: unknown fields and query parameters, credentials that no ' +
          'component declares, images whose digest the registry did not return, a yanked ' +
          'version, a restored revision that was not ready before, missing `failures`, what is ' +
          'wrong with components that are ready, and a `wait` that ended early because a service ' +
          'stops',
      }),
    ),
    rolled_back_to: Type.Optional(
      Type.Integer({ description: 'The revision that a rollback restored' }),
    ),
    rollout: Type.Optional(Rollout),
  },
  {
    title: 'DeployResult',
    description: 'The cluster accepted all objects, and the rollout is ready if it was waited for',
    examples: [deployedExample],
  },
)

export const PartialResult = Type.Unsafe<Static<typeof DeployResult>>({
  ...DeployResult,
  'x-response-description':
    'The cluster rejected objects, or the rollout was not ready in time; `errors` says why',
  examples: [partialExample],
})

export const RollbackBody = Type.Union(
  [
    Type.Null({ description: 'An empty body' }),
    Type.Object(
      {
        revision: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 2 ** 31 - 1,
            description: 'By default the newest earlier revision that was ready',
          }),
        ),
      },
      { title: 'RollbackRequest', description: 'The revision to restore' },
    ),
  ],
  { examples: [rollbackExample] },
)

export const UndeployBody = Type.Object(
  { account: about(AccountName, 'Account that owns the deployment'), name: AgentName },
  {
    title: 'UndeployRequest',
    description: 'The deployment to remove',
    examples: [undeployExample],
  },
)

export const UndeployResult = Type.Object(
  {
    status: Type.Literal('success', { description: 'The deployment was removed' }),
    name: AgentName,
    build_id: about(BuildId, 'The build that was deployed'),
    k8s_namespace: Namespace,
    undeployed_at: Time('When the cluster accepted the deletion'),
  },
  {
    title: 'UndeployResult',
    description: 'The deployment was removed; its namespace is being deleted',
    examples: [undeployedExample],
  },
)
