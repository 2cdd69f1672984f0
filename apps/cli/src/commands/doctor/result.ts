import { Type } from 'typebox'

export const schema = Type.Object({
  is_healthy: Type.Boolean({ description: 'Whether no check failed' }),
  cli_version: Type.String({ description: 'The version of the command line' }),
  node_version: Type.String({ description: 'The version of Node' }),
  checks: Type.Array(
    Type.Object({
      name: Type.String({ description: 'What was checked, for example `dns` or `token`' }),
      status: Type.Enum(['ok', 'warning', 'failed', 'skipped'], {
        description: '`skipped` if an earlier check it needs has failed',
      }),
      detail: Type.String({ description: 'What was found' }),
      remedy: Type.Optional(Type.String({ description: 'What to do' })),
    }),
  ),
})
