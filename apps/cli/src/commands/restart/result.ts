import { Type } from 'typebox'

export const schema = Type.Object({
  status: Type.Enum(['restarted', 'started', 'pending', 'interrupted'], {
    description:
      'started: with `--detach`. pending: a new pod was not ready in time. ' +
      'interrupted: by Ctrl-C, before all pods were restarted',
  }),
  account: Type.String({ description: 'The account of the deployment' }),
  name: Type.String({ description: 'The agent' }),
  pods: Type.Array(Type.String(), { description: 'The pods that were deleted, in this order' }),
  left: Type.Optional(
    Type.Array(Type.String(), { description: 'The pods that were not restarted any more' }),
  ),
})
