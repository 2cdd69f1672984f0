import { Type, type Static } from 'typebox'

export const schema = Type.Object({
  id: Type.String({ description: 'Identifies the event; later events have larger numbers' }),
  type: Type.String({
    description:
      'What has happened, like `applied` or `state_changed`; `snapshot` is the state now',
  }),
  time: Type.String({ format: 'date-time', description: 'When it happened' }),
  revision: Type.Integer({ description: 'The revision that it is about' }),
  build_id: Type.String({ description: 'The build of the revision; empty if there is none' }),
  state: Type.Optional(Type.String({ description: 'The new state' })),
  reason: Type.Optional(Type.String({ description: 'Why it is not ready, or what failed' })),
  errors: Type.Optional(
    Type.Array(Type.String(), { description: 'Problems with objects, as `Kind/name: reason`' }),
  ),
})

export type EventLine = Static<typeof schema>
