import { Type, type Static } from 'typebox'

const time = Type.String({ description: 'When it was written, RFC 3339 in UTC' })

export const schema = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('line'),
      time,
      pod: Type.String({ description: 'The pod' }),
      container: Type.String({ description: 'The container in the pod' }),
      text: Type.String({ description: 'The line, without a newline' }),
      is_gone: Type.Optional(Type.Boolean({ description: 'Whether the pod no longer exists' })),
    },
    { description: 'A line of a container' },
  ),
  Type.Object(
    {
      kind: Type.Literal('event'),
      time,
      object: Type.String({ description: 'What it is about, for example a pod' }),
      reason: Type.String({ description: 'One word of Kubernetes, for example `BackOff`' }),
      text: Type.String({ description: 'The message of Kubernetes' }),
    },
    { description: 'An event of the cluster' },
  ),
])

export type LogEntry = Static<typeof schema>
