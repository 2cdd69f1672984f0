import { Type } from 'typebox'

import { AnyText, Choice, Text, Time } from '../../http/schemas/kinds.ts'
import { metricsExample, summaryExample } from './examples.ts'
import { BigInteger, isEstimate, Milliseconds, RangeQuery } from './schemas.ts'

const TimeRange = Type.Object(
  { start: Time('Start, inclusive'), end: Time('End, exclusive') },
  { title: 'TimeRange', description: 'The time range of the query' },
)

export const MetricsQuery = Type.Interface([RangeQuery], {
  interval: Type.Integer({
    minimum: 1,
    maximum: 44_640,
    default: 60,
    description: 'Size of a bucket in minutes',
  }),
  group_by: Type.Optional(
    Choice(['model', 'build'], { description: 'Also return the metrics of each model or build' }),
  ),
  group_buckets: Type.Boolean({
    default: false,
    description: 'With `group_by=model`: also return the buckets of each model, at most 500',
  }),
})

const usageMembers = {
  input_tokens: BigInteger('Input tokens of calls of models, counted once'),
  output_tokens: BigInteger('Output tokens of calls of models, counted once'),
  cached_tokens: BigInteger('Input tokens that providers have read from their caches'),
  first_token_ms: Type.Optional(
    Milliseconds('Average time to the first token; absent if no call reports it'),
  ),
  cost_usd: Type.Optional(
    Type.Number({ minimum: 0, description: 'Cost of the calls in US dollars; absent if unknown' }),
  ),
}

const MetricsBucket = Type.Object(
  {
    timestamp: Time('Start of the bucket'),
    trace_count: BigInteger('Number of traces'),
    avg_latency_ms: Milliseconds('Average duration of the traces'),
    p50_latency_ms: Milliseconds('Median of the durations'),
    p95_latency_ms: Milliseconds('95th percentile of the durations'),
    p99_latency_ms: Milliseconds('99th percentile of the durations'),
    ...usageMembers,
    error_count: BigInteger('Traces that ended with an error'),
  },
  { title: 'MetricsBucket', description: 'The traces that started in an interval' },
)

const MetricsGroupBucket = Type.Object(
  {
    timestamp: Time('Start of the bucket'),
    request_count: BigInteger('Calls of the model that started in the bucket'),
    input_tokens: usageMembers.input_tokens,
    output_tokens: usageMembers.output_tokens,
    cost_usd: usageMembers.cost_usd,
  },
  { title: 'MetricsGroupBucket', description: 'The calls of a model that started in an interval' },
)

const MetricsGroup = Type.Object(
  {
    name: Type.Optional(AnyText('Model or build; absent for all that are not listed')),
    request_count: BigInteger('Calls of the model, or traces of the build'),
    avg_latency_ms: Milliseconds('Average duration of the requests'),
    p50_latency_ms: Milliseconds('Median of the durations'),
    p95_latency_ms: Milliseconds('95th percentile of the durations'),
    p99_latency_ms: Milliseconds('99th percentile of the durations'),
    ...usageMembers,
    error_count: BigInteger('Requests that ended with an error'),
    buckets: Type.Optional(
      Type.Array(MetricsGroupBucket, {
        description: 'With `group_buckets=true`: the buckets that have calls, in order',
      }),
    ),
  },
  { title: 'MetricsGroup', description: 'The requests of a model or a build in the time range' },
)

const NewBuild = Type.Object(
  { build_id: Text('Id of the build'), timestamp: Time('Start of its first span') },
  { title: 'NewBuild', description: 'A build that began to send spans' },
)

export const Metrics = Type.Object(
  {
    buckets: Type.Array(MetricsBucket, {
      description: 'Every bucket of the range, including empty ones',
    }),
    groups: Type.Optional(
      Type.Array(MetricsGroup, { description: 'The 20 largest, and then all others together' }),
    ),
    new_builds: Type.Optional(
      Type.Array(NewBuild, {
        description:
          'With `group_by=build`: those whose first spans started in the range, oldest first',
      }),
    ),
    tokens_estimated: isEstimate,
    time_range: TimeRange,
    interval_minutes: Type.Integer({ description: 'Size of a bucket in minutes' }),
  },
  { title: 'Metrics', description: 'Metrics in time buckets', examples: [metricsExample] },
)

const SummaryMetrics = Type.Object(
  {
    avg_latency_ms: Milliseconds('Average duration of the traces'),
    p50_latency_ms: Milliseconds('Median of the durations, by the nearest-rank method'),
    p95_latency_ms: Milliseconds('95th percentile of the durations, by the nearest-rank method'),
    p99_latency_ms: Milliseconds('99th percentile of the durations, by the nearest-rank method'),
    total_tokens: BigInteger('Input and output tokens'),
    ...usageMembers,
    tokens_estimated: isEstimate,
    error_count: BigInteger('Traces that ended with an error'),
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
