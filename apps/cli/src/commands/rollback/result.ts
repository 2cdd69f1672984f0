import type { Schemas } from '@slipway/client'
import { Type } from 'typebox'

import { bodyOf } from '../../command/body-of.ts'

export const schema = Type.Object({
  status: Type.Enum(['started', 'ready', 'failed', 'pending'], {
    description:
      'started: with `--detach`. failed: something was refused or does not run. pending: the ' +
      'rollout goes on',
  }),
  account: Type.String({ description: 'The account of the deployment' }),
  why: Type.Optional(Type.String({ description: 'Why it has failed' })),
  result: bodyOf<Schemas['DeployResult']>('POST /agents/{account}/{name}/deployment/rollback'),
  deployment: Type.Optional(
    bodyOf<Schemas['Deployment']>('GET /agents/{account}/{name}/deployment'),
  ),
})
