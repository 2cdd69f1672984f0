import { MessageRole, SpanType } from '@slipway/proto/slipway/observability/v1/run'
import { SpanKind } from '@slipway/proto/slipway/observability/v1/trace'
import { namesOf } from '@slipway/shared/enum-names'
import { Type } from 'typebox'

import { AnyText, Choice, Count, FreeObject, Time } from '../../http/schemas/kinds.ts'
import { BigInteger, CostSourceName, Dollars, Milliseconds, StatusName } from './schemas.ts'

const SpanKindName = Choice([...namesOf(SpanKind), 'unspecified'], {
  title: 'SpanKind',
  description: 'Kind of a span in OpenTelemetry',
})

const SpanTypeName = Choice(namesOf(SpanType), {
  title: 'SpanType',
  description: 'What a span is in the run of the agent; absent if the span does not say it',
})

const ToolCall = Type.Object(
  {
    id: Type.Optional(AnyText('Id of the call; absent if the sender has none')),
    name: AnyText('Name of the tool'),
    arguments: AnyText('JSON, or the text that the model wrote in its place'),
  },
  { title: 'ToolCall', description: 'A call of a tool that a model asks for' },
)

const ToolResult = Type.Object(
  {
    call_id: Type.Optional(
      AnyText('Id of the call that it is the result of; absent if the sender does not name it'),
    ),
    text: AnyText('The text, with placeholders such as `[image/png]` for other parts'),
  },
  { title: 'ToolResult', description: 'What a tool returned' },
)

const Message = Type.Object(
  {
    role: Choice(namesOf(MessageRole), {
      title: 'MessageRole',
      description: 'Who wrote it',
    }),
    text: AnyText('The text, with placeholders such as `[image/png]` for other parts'),
    tool_calls: Type.Optional(Type.Array(ToolCall, { description: 'The tools that are called' })),
    tool_results: Type.Optional(Type.Array(ToolResult, { description: 'What tools returned' })),
    truncated: Type.Optional(
      Type.Boolean({ description: 'Whether texts are cut, or calls or results are missing' }),
    ),
  },
  { title: 'Message', description: 'A message of a conversation' },
)

const SpanEvent = Type.Object(
  {
    timestamp: Time('When it happened'),
    name: AnyText('Name of the event'),
    attributes: FreeObject('Attributes of the event'),
  },
  { title: 'SpanEvent', description: 'An event of a span' },
)

export const Span = Type.Object(
  {
    span_id: AnyText('Id of the span: 16 hexadecimal digits'),
    name: AnyText('Name of the span'),
    kind: SpanKindName,
    type: Type.Optional(SpanTypeName),
    status: StatusName,
    status_message: Type.Optional(AnyText('Why it failed')),
    timestamp: Time('Start of the span'),
    latency_ms: Milliseconds('Duration of the span'),
    input: AnyText('Input of the span'),
    output: AnyText('Output of the span'),
    model: Type.Optional(AnyText('Language model that was called')),
    provider: Type.Optional(AnyText('Provider of the model, as the sender names it')),
    tool_name: Type.Optional(AnyText('Name of the called tool')),
    finish_reason: Type.Optional(AnyText('Why the model ended its response, such as `stop`')),
    session_id: Type.Optional(AnyText('Id of the session')),
    user_id: Type.Optional(AnyText('Id of the user')),
    scope: Type.Optional(AnyText('Name of the instrumentation that created the span')),
    input_tokens: BigInteger('Input tokens; 0 unless the span calls a language model'),
    output_tokens: BigInteger('Output tokens; 0 unless the span calls a language model'),
    cached_tokens: BigInteger('Input tokens that the provider has read from its cache'),
    cache_written_tokens: BigInteger('Input tokens that the provider has written to its cache'),
    reasoning_tokens: BigInteger('Output tokens with which the model has reasoned'),
    total_input_tokens: BigInteger('Input tokens of other spans that this one repeats'),
    total_output_tokens: BigInteger('Output tokens of other spans that this one repeats'),
    time_to_first_token_ms: Type.Optional(
      Milliseconds('How long the first token took; absent if unknown'),
    ),
    cost_usd: Type.Optional(
      Dollars('Cost of the call, as reported or estimated; absent if unknown'),
    ),
    total_cost_usd: Type.Optional(
      Dollars('Cost of other spans that this one repeats; absent if unknown'),
    ),
    cost_source: Type.Optional(CostSourceName),
    input_messages: Type.Array(Message, {
      description: 'What went into a model or an agent: the last messages',
    }),
    output_messages: Type.Array(Message, {
      description: 'What came out of a model or an agent: the last messages',
    }),
    omitted_input_messages: Count('Number of messages before those of `input_messages`'),
    omitted_output_messages: Count('Number of messages before those of `output_messages`'),
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
