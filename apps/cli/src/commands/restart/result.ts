import { Type } from 'typebox'

export const schema = Type.Object({
  status: Type.Enum(['restarted', 'started', 'pending'], {
    description: 'started: with `--detach`. pending: a new pod was not ready in time',
  }),
  account: Type.String({ description: 'The account of the deployment' }),
  name: Type.String({ description: 'The agent' }),
  pods: Type.Array(Type.String(), { description: 'The pods that were deleted, in this order' }),
})
