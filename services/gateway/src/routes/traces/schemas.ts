import { Type } from 'typebox'

import { AnyText, Choice, Count, FreeObject, NamedText, Time } from '../../http/schemas.ts'
import { metricsExample, summaryExample, traceExample, traceListExample } from './examples.ts'

/** An integer that can exceed a double's precision. */
const BigInteger = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int64', minimum: 0, description })

const Milliseconds = (description: string) => Type.Number({ description })

export const TraceId = NamedText('TraceId', 'Id of a trace: 32 hexadecimal digits', {
  pattern: '^[0-9a-fA-F]{32}$',
  examples: [traceExample.trace_id],
})

const StatusName = Choice(['ok', 'error'], {
  title: 'TraceStatus',
  description: 'Whether the run, or the span, ended with an error',
})

const SpanKindName = Choice(
  ['internal', 'server', 'client', 'producer', 'consumer', 'unspecified'],
  { title: 'SpanKind', description: 'Kind of a span in OpenTelemetry' },
)

/** The time range of a query. */
export const RangeQuery = Type.Object({
  start_time: Type.Optional(Time('Start, inclusive; 24 hours before the end by default')),
  end_time: Type.Optional(Time('End, exclusive; now by default')),
})

const TimeRange = Type.Object(
  { start: Time('Start, inclusive'), end: Time('End, exclusive') },
  { title: 'TimeRange', description: 'The time range of the query' },
)

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
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 50,
    description: 'Maximum number of traces in the response',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: 'Number of traces to skip',
  }),
  status: Type.Optional(Choice(['ok', 'error'], { description: 'Only traces with this status' })),
})

const entryMembers = {
  trace_id: TraceId,
  name: AnyText('Name of the root span'),
  status: StatusName,
  latency_ms: Milliseconds('Duration of the root span'),
  input: AnyText('Input of the agent'),
  output: AnyText('Output of the agent'),
  timestamp: Time('Start of the trace'),
}

const TraceEntry = Type.Object(entryMembers, {
  title: 'TraceEntry',
  description: 'A trace without its spans',
})

export const TraceList = Type.Object(
  {
    traces: Type.Array(TraceEntry, { description: 'Newest first' }),
    total: BigInteger('Number of traces that match'),
    limit: Type.Integer({ description: 'The limit of the query' }),
    offset: Type.Integer({ description: 'The offset of the query' }),
  },
  { title: 'TraceList', description: 'A page of traces', examples: [traceListExample] },
)

export const MetricsQuery = Type.Interface([RangeQuery], {
  interval: Type.Integer({
    minimum: 1,
    maximum: 44_640,
    default: 60,
    description: 'Size of a bucket in minutes',
  }),
})

const MetricsBucket = Type.Object(
  {
    timestamp: Time('Start of the bucket'),
    trace_count: BigInteger('Number of traces'),
    avg_latency_ms: Milliseconds('Average duration of the traces'),
    p95_latency_ms: Milliseconds('95th percentile of the durations'),
    input_tokens: BigInteger('Input tokens of language model calls'),
    output_tokens: BigInteger('Output tokens of language model calls'),
    error_count: BigInteger('Traces that ended with an error'),
  },
  { title: 'MetricsBucket', description: 'The traces that started in an interval' },
)

export const Metrics = Type.Object(
  {
    buckets: Type.Array(MetricsBucket, {
      description: 'Every bucket of the range, including empty ones',
    }),
    time_range: TimeRange,
    interval_minutes: Type.Integer({ description: 'Size of a bucket in minutes' }),
  },
  { title: 'Metrics', description: 'Metrics in time buckets', examples: [metricsExample] },
)

const SummaryMetrics = Type.Object(
  {
    avg_latency_ms: Milliseconds('Average duration of the traces'),
    p95_latency_ms: Milliseconds('95th percentile of the durations, by the nearest-rank method'),
    total_tokens: BigInteger('Input and output tokens'),
    error_rate: Type.Number({ minimum: 0, maximum: 1, description: '0 to 1' }),
    traces_per_hour: Type.Number({ minimum: 0, description: 'Average over the time range' }),
  },
  { title: 'SummaryMetrics', description: 'Latency, error rate and throughput' },
)

export const Summary = Type.Object(
  {
    total_traces: BigInteger('Number of traces'),
    time_range: TimeRange,
    metrics: SummaryMetrics,
  },
  { title: 'Summary', description: 'The traces of a time range', examples: [summaryExample] },
)

const SpanEvent = Type.Object(
  {
    timestamp: Time('When it happened'),
    name: AnyText('Name of the event'),
    attributes: FreeObject('Attributes of the event'),
  },
  { title: 'SpanEvent', description: 'An event of a span' },
)

const Span = Type.Object(
  {
    span_id: AnyText('Id of the span: 16 hexadecimal digits'),
    name: AnyText('Name of the span'),
    kind: SpanKindName,
    status: StatusName,
    status_message: Type.Optional(AnyText('Why it failed')),
    timestamp: Time('Start of the span'),
    latency_ms: Milliseconds('Duration of the span'),
    input: AnyText('Input of the span'),
    output: AnyText('Output of the span'),
    model: Type.Optional(AnyText('Language model that was called')),
    input_tokens: BigInteger('Input tokens; 0 unless the span calls a language model'),
    output_tokens: BigInteger('Output tokens; 0 unless the span calls a language model'),
    build_id: AnyText('Build of the agent that sent it'),
    attributes: Type.Optional(FreeObject('Attributes of the span')),
    events: Type.Array(SpanEvent, { description: 'Its events' }),
    // Free-form for the serializer, which can't be built for a recursive schema.
    children: Type.Array(FreeObject('A child span', { 'x-document': { as: 'Span' } }), {
      description: 'The spans that it is the parent of',
    }),
  },
  { title: 'Span', description: 'An operation of the agent, with those that it consists of' },
)

export const Trace = Type.Object(
  {
    ...entryMembers,
    span_count: Count('Number of spans'),
    error_span_count: Count('Number of spans with an error status'),
    truncated: Type.Boolean({
      description: 'Whether spans or parts of them are omitted to limit the size of the response',
    }),
    input_tokens: BigInteger('Input tokens of the trace'),
    output_tokens: BigInteger('Output tokens of the trace'),
    spans: Type.Array(Span, { description: 'The spans whose parent is not in the response' }),
  },
  { title: 'Trace', description: 'A trace with its spans', examples: [traceExample] },
)
