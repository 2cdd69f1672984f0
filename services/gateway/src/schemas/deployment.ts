import { Type } from 'typebox'

import { AnyText, FreeObject, Text, TextMap, Time } from './common.ts'

export const DeployBody = Type.Object(
  {
    account: Text('Account that owns the deployment'),
    name: Text('Agent name'),
    source_account: Type.Optional(AnyText('Account whose agent is deployed; its latest published version is used')),
    user_credentials: Type.Optional(TextMap('Credentials and required inputs by environment name')),
    interfaces: Type.Optional(Type.Array(Type.String(), { description: 'Interface adapters to enable' })),
    schedules: Type.Optional(TextMap('Cron schedules by ingestion name')),
    overrides: Type.Optional(FreeObject('Values over the editable paths of the deployment template')),
  },
  { title: 'DeployRequest' },
)

const RolloutState = Type.String({ description: 'progressing, ready, degraded, failed, undeploying or undeployed' })

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
    service_endpoints: Type.Array(Type.Object({ name: Type.String(), url: Type.String(), type: Type.String() })),
    errors: Type.Array(Type.String(), { description: '`Kind/name: reason`, sorted' }),
    rollout: Type.Optional(
      Type.Object({
        state: RolloutState,
        reason: Type.Optional(Type.String()),
        components: Type.Array(
          Type.Object({ name: Type.String(), state: RolloutState, reason: Type.Optional(Type.String()) }),
        ),
      }),
    ),
  },
  { title: 'DeployResponse' },
)

export const Valid = Type.Object(
  { valid: Type.Literal(true), build_id: Type.String(), name: Type.String() },
  { description: 'The deploy would pass its checks' },
)

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
