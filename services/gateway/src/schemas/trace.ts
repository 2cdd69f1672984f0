import { Type } from 'typebox'

import { AnyText, Time } from './common.ts'

export const TraceQuery = Type.Object({
  start_time: Type.Optional(Time('First instant; 24 hours before the end by default')),
  end_time: Type.Optional(Time('First instant that does not count; now by default')),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
  status: Type.Optional(Type.Union([Type.Literal('ok'), Type.Literal('error')])),
})

export const TraceList = Type.Object(
  {
    traces: Type.Array(
      Type.Object(
        {
          trace_id: Type.String(),
          name: Type.String(),
          status: Type.Union([Type.Literal('ok'), Type.Literal('error')]),
          latency_ms: Type.Number(),
          input: AnyText('What the agent was asked'),
          output: AnyText('What it answered'),
          timestamp: Time('When the trace began'),
        },
        { title: 'TraceEntry' },
      ),
    ),
    total: Type.Integer({ description: 'Traces that match in all' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { title: 'TraceList', description: 'Newest first' },
)
