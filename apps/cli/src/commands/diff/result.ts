import type { Schemas } from '@slipway/client'
import { Type } from 'typebox'

const revision = (description: string) =>
  Type.Unsafe<Schemas['Revision']>({
    type: 'object',
    description: `${description}, as in the body of \`GET …/deployment/revisions/{revision}\``,
  })

export const schema = Type.Object({
  account: Type.String({ description: 'The account of the deployment' }),
  name: Type.String({ description: 'The agent' }),
  from: revision('The first revision'),
  to: revision('The second revision'),
  same_build: Type.Boolean({ description: 'Whether both have the same build' }),
  changes: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Path in the deployment template of the build' }),
      old: Type.Optional(Type.Unknown({ description: 'The value in the first revision' })),
      new: Type.Optional(Type.Unknown({ description: 'The value in the second revision' })),
    }),
    { description: 'What differs between the templates of both builds' },
  ),
  setting_changes: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Path in the settings, like `overrides.agent.replicas`' }),
      old: Type.Optional(Type.Unknown({ description: 'The value in the first revision' })),
      new: Type.Optional(Type.Unknown({ description: 'The value in the second revision' })),
    }),
    { description: 'What differs in overrides, schedules, interfaces and names of credentials' },
  ),
})
