import { Type } from 'typebox'

import { AnyText, FreeObject, Time } from '../../http/schemas.ts'

/** A whole number that may be beyond what a double holds exactly. */
const BigInteger = (description: string) => Type.Unsafe<bigint>({ type: 'integer', description })

/** The range of time that a question is about. */
export const RangeQuery = Type.Object({
  start_time: Type.Optional(Time('First instant; 24 hours before the end by default')),
  end_time: Type.Optional(Time('First instant that does not count; now by default')),
})

const TimeRange = Type.Object({
  start: Time('First instant'),
  end: Time('First instant that does not count'),
})

export const TraceQuery = Type.Interface([RangeQuery], {
  build_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Only traces of this build' }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Text in a name, input or output of a span',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
  status: Type.Optional(Type.Union([Type.Literal('ok'), Type.Literal('error')])),
})

const TraceEntry = Type.Object(
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
)

export const TraceList = Type.Object(
  {
    traces: Type.Array(TraceEntry),
    total: BigInteger('Traces that match in all'),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { title: 'TraceList', description: 'Newest first' },
)

export const MetricsQuery = Type.Interface([RangeQuery], {
  interval: Type.Integer({
    minimum: 1,
    maximum: 44_640,
    default: 60,
    description: 'Minutes in a bucket',
  }),
})

export const Metrics = Type.Object(
  {
    buckets: Type.Array(
      Type.Object(
        {
          timestamp: Time('When the bucket begins'),
          trace_count: BigInteger('Traces'),
          avg_latency_ms: Type.Number(),
          p95_latency_ms: Type.Number(),
          input_tokens: BigInteger('Input tokens of language models'),
          output_tokens: BigInteger('Output tokens of language models'),
          error_count: BigInteger('Traces that ended with an error'),
        },
        { title: 'MetricsBucket' },
      ),
      { description: 'Every bucket of the range, zeros included' },
    ),
    time_range: TimeRange,
    interval_minutes: Type.Integer(),
  },
  { title: 'Metrics' },
)

export const Summary = Type.Object(
  {
    total_traces: BigInteger('Traces'),
    time_range: TimeRange,
    metrics: Type.Object({
      avg_latency_ms: Type.Number(),
      p95_latency_ms: Type.Number({ description: 'By nearest rank' }),
      total_tokens: BigInteger('Input and output tokens'),
      error_rate: Type.Number({ description: '0 to 1' }),
      traces_per_hour: Type.Number(),
    }),
  },
  { title: 'Summary' },
)

const SpanMembers = {
  span_id: Type.String(),
  name: Type.String(),
  kind: AnyText('internal, server, client, producer, consumer or unspecified'),
  status: Type.Union([Type.Literal('ok'), Type.Literal('error')]),
  status_message: Type.Optional(Type.String()),
  timestamp: Time('When it began'),
  latency_ms: Type.Number(),
  input: AnyText('What it was given'),
  output: AnyText('What it gave'),
  model: Type.Optional(AnyText('The language model')),
  input_tokens: BigInteger('Input tokens; 0 unless it calls a language model'),
  output_tokens: BigInteger('Output tokens; 0 unless it calls a language model'),
  build_id: Type.String(),
  attributes: Type.Optional(FreeObject('Its attributes')),
  events: Type.Array(
    Type.Object({
      timestamp: Type.String(),
      name: Type.String(),
      attributes: FreeObject('Its attributes'),
    }),
  ),
  children: Type.Array(FreeObject('A span, as this one')),
}

export const TraceTree = Type.Interface(
  [TraceEntry],
  {
    span_count: Type.Integer(),
    truncated: Type.Boolean({
      description: 'Whether spans, or what they hold, are left out: too much for an answer',
    }),
    input_tokens: BigInteger('Input tokens of the trace'),
    output_tokens: BigInteger('Output tokens of the trace'),
    spans: Type.Array(Type.Object(SpanMembers, { title: 'Span' }), {
      description: 'The spans without a parent here',
    }),
  },
  { title: 'Trace' },
)
