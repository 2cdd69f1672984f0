import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const schema = Type.Object({
  account: Type.String({ description: 'The account that owns it' }),
  name: Type.String({ description: 'Its name' }),
  registry: Type.String({ description: 'The registry of the newest build' }),
  builds: Type.Array(
    Type.Object({
      build_id: Type.String({ description: 'Its id' }),
      version: text('The version that it is published as'),
      yanked: Type.Boolean({ description: 'Whether the version was yanked' }),
      published_at: text('When it was published'),
      registered_at: text('When it was registered; for members only'),
      commit: Type.Optional(
        Type.Object(
          {
            id: Type.String({ description: 'Its object name' }),
            branch: text('The branch'),
            message: text('The first line of its message'),
            has_changes: Type.Optional(
              Type.Boolean({
                description: 'Whether the folder had changes that were not committed',
              }),
            ),
            ci_run_url: text('The address of the CI run that made the build'),
          },
          { description: 'The commit that it was made from; for members only' },
        ),
      ),
      warning_count: Type.Integer({ description: 'How many warnings its spec has; for members' }),
    }),
    { description: 'At most the newest 1000, the newest first; only published ones for others' },
  ),
  has_more_builds: Type.Boolean({ description: 'Whether there are more builds' }),
  credentials: Type.Optional(
    Type.Array(
      Type.Object({
        key: Type.String({ description: 'The name of the environment variable' }),
        optional: Type.Boolean({ description: 'Whether a deployment works without it' }),
        category: Type.String({ description: '`model`, `knowledge`, `tool` and others' }),
        provider: Type.String({ description: 'The provider that needs it, or empty' }),
        description: Type.String({ description: 'Its purpose' }),
      }),
      { description: 'What a deploy needs; absent if you are not signed in' },
    ),
  ),
  readme: text('The readme of the newest build that has one'),
})
