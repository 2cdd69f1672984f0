import type { Schemas } from '@slipway/client'
import { Type } from 'typebox'

import { bodyOf } from '../../command/body-of.ts'

export const schema = Type.Object({
  status: Type.Enum(['planned', 'started', 'ready', 'failed', 'pending'], {
    description:
      'planned: with `--plan`. started: with `--detach`. failed: something was refused or does ' +
      'not run. pending: the rollout goes on',
  }),
  account: Type.String({ description: 'The account that the agent is deployed into' }),
  why: Type.Optional(Type.String({ description: 'Why it has failed' })),
  validation: bodyOf<Schemas['ValidDeployment']>('POST /deploy/validate'),
  result: Type.Optional(bodyOf<Schemas['DeployResult']>('POST /deploy')),
  deployment: Type.Optional(
    bodyOf<Schemas['Deployment']>('GET /agents/{account}/{name}/deployment'),
  ),
})
