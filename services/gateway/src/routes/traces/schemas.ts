import { Type } from 'typebox'

import { AnyText, Choice, Count, FreeObject, NamedText, Time } from '../../http/schemas.ts'
import { traceExample } from './examples.ts'

/** An integer that can exceed a double's precision. */
export const BigInteger = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int64', minimum: 0, description })

export const Milliseconds = (description: string) => Type.Number({ description })

/** Whether the tokens in a response are exact. */
export const isEstimate = Type.Boolean({
  description:
    'Whether some tokens may be counted twice, because too many traces report them in several ' +
    'spans',
})

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

/** What lists and single traces show of a trace. */
export const entryMembers = {
  trace_id: TraceId,
  name: AnyText('Name of the root span'),
  status: StatusName,
  latency_ms: Milliseconds('Duration of the root span'),
  input: AnyText('Input of the agent'),
  output: AnyText('Output of the agent'),
  timestamp: Time('Start of the trace'),
}

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
