import { Type } from 'typebox'

import { AnyText, FreeObject, Time } from '../../http/schemas.ts'

/** An integer that can exceed a double's precision. */
const BigInteger = (description: string) => Type.Unsafe<bigint>({ type: 'integer', description })

/** The time range of a query. */
export const RangeQuery = Type.Object({
  start_time: Type.Optional(Time('Start, inclusive; 24 hours before the end by default')),
  end_time: Type.Optional(Time('End, exclusive; now by default')),
})

const TimeRange = Type.Object({
  start: Time('Start, inclusive'),
  end: Time('End, exclusive'),
})

export const TraceQuery = Type.Interface([RangeQuery], {
  build_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Only traces of this build' }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Only traces with this text in the name, input or output of a span',
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
    input: AnyText('Input of the agent'),
    output: AnyText('Output of the agent'),
    timestamp: Time('Start of the trace'),
  },
  { title: 'TraceEntry' },
)

export const TraceList = Type.Object(
  {
    traces: Type.Array(TraceEntry),
    total: BigInteger('Number of traces that match'),
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
    description: 'Size of a bucket in minutes',
  }),
})

export const Metrics = Type.Object(
  {
    buckets: Type.Array(
      Type.Object(
        {
          timestamp: Time('Start of the bucket'),
          trace_count: BigInteger('Number of traces'),
          avg_latency_ms: Type.Number(),
          p95_latency_ms: Type.Number(),
          input_tokens: BigInteger('Input tokens of language model calls'),
          output_tokens: BigInteger('Output tokens of language model calls'),
          error_count: BigInteger('Traces that ended with an error'),
        },
        { title: 'MetricsBucket' },
      ),
      { description: 'Every bucket of the range, including empty ones' },
    ),
    time_range: TimeRange,
    interval_minutes: Type.Integer(),
  },
  { title: 'Metrics' },
)

export const Summary = Type.Object(
  {
    total_traces: BigInteger('Number of traces'),
    time_range: TimeRange,
    metrics: Type.Object({
      avg_latency_ms: Type.Number(),
      p95_latency_ms: Type.Number({ description: 'By the nearest-rank method' }),
      total_tokens: BigInteger('Input and output tokens'),
      error_rate: Type.Number({ description: '0 to 1' }),
      traces_per_hour: Type.Number(),
    }),
  },
  { title: 'Summary' },
)

const spanMembers = {
  span_id: Type.String(),
  name: Type.String(),
  kind: AnyText('internal, server, client, producer, consumer or unspecified'),
  status: Type.Union([Type.Literal('ok'), Type.Literal('error')]),
  status_message: Type.Optional(Type.String()),
  timestamp: Time('Start of the span'),
  latency_ms: Type.Number(),
  input: AnyText('Input of the span'),
  output: AnyText('Output of the span'),
  model: Type.Optional(AnyText('Language model that was called')),
  input_tokens: BigInteger('Input tokens; 0 unless the span calls a language model'),
  output_tokens: BigInteger('Output tokens; 0 unless the span calls a language model'),
  build_id: Type.String(),
  attributes: Type.Optional(FreeObject('Attributes of the span')),
  events: Type.Array(
    Type.Object({
      timestamp: Type.String(),
      name: Type.String(),
      attributes: FreeObject('Attributes of the event'),
    }),
  ),
  children: Type.Array(FreeObject('A child span, with the members of a span')),
}

export const TraceTree = Type.Interface(
  [TraceEntry],
  {
    span_count: Type.Integer(),
    truncated: Type.Boolean({
      description: 'Whether spans or parts of them are omitted to limit the size of the response',
    }),
    input_tokens: BigInteger('Input tokens of the trace'),
    output_tokens: BigInteger('Output tokens of the trace'),
    spans: Type.Array(Type.Object(spanMembers, { title: 'Span' }), {
      description: 'The spans whose parent is not in the response',
    }),
  },
  { title: 'Trace' },
)
