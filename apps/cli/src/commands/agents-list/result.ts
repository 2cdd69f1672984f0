import { Type } from 'typebox'

export const schema = Type.Object({
  agents: Type.Array(
    Type.Object({
      account: Type.String({ description: 'The account that owns it' }),
      name: Type.String({ description: 'Its name' }),
      version: Type.Optional(
        Type.String({ description: 'Its latest version; only if one is published' }),
      ),
      build_id: Type.Optional(
        Type.String({ description: 'The build of the version, or the newest' }),
      ),
      description: Type.Optional(Type.String({ description: 'From its spec' })),
      tags: Type.Array(Type.String(), { description: 'From its spec' }),
      published_at: Type.Optional(Type.String({ description: 'When the version was published' })),
      registered_at: Type.Optional(
        Type.String({ description: 'When the build was registered; for members only' }),
      ),
      yanked: Type.Boolean({ description: 'Whether the version was yanked' }),
    }),
  ),
  has_more: Type.Boolean({ description: 'Whether there are more than `--limit`' }),
})
