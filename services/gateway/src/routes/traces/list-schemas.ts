import { Type } from 'typebox'

import { AnyText, Choice, Count, Text } from '../../http/schemas/kinds.ts'
import { traceListExample } from './examples.ts'
import { BigInteger, CostSourceName, entryMembers, RangeQuery } from './schemas.ts'

export const FilterText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }))

const TokenBound = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description }))

/** The most entries that a list can skip. */
export const MAX_OFFSET = 100_000

/** The page of a list. */
export const PageQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 50,
    description: 'Maximum number of entries in the response',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: MAX_OFFSET,
    default: 0,
    description: 'Number of entries to skip',
  }),
})

export const TraceQuery = Type.Interface([RangeQuery, PageQuery], {
  build_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Only traces of this build' }),
  ),
  q: FilterText('Only traces with this text in the name, input or output of a span'),
  status: Type.Optional(Choice(['ok', 'error'], { description: 'Only traces with this status' })),
  session_id: FilterText('Only traces of this session'),
  user_id: FilterText('Only traces of this user'),
  model: FilterText('Only traces with a span of this model'),
  tool: FilterText('Only traces with a call of this tool'),
  min_tokens: TokenBound('Only traces with at least this many input and output tokens'),
  max_tokens: TokenBound('Only traces with at most this many input and output tokens'),
  min_cost_usd: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Only traces that cost at least this many US dollars',
    }),
  ),
  min_latency_ms: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Only traces that took at least this long',
    }),
  ),
  has_errors: Type.Optional(
    Type.Boolean({ description: 'Only traces with a span that failed, or only those without one' }),
  ),
})

export const TraceEntry = Type.Object(
  {
    ...entryMembers,
    session_id: Type.Optional(Text('Session of the first span in time that has one')),
    user_id: Type.Optional(Text('User of the first span in time that has one')),
    models: Type.Array(AnyText('Name of a model'), {
      description: 'The models that were called, at most 16',
    }),
    input_tokens: BigInteger('Input tokens of all calls of models, counted once'),
    output_tokens: BigInteger('Output tokens of all calls of models, counted once'),
    cached_tokens: BigInteger('Input tokens that providers have read from their caches'),
    reasoning_tokens: BigInteger('Output tokens of reasoning'),
    cost_usd: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Cost of all calls in US dollars; absent if unknown',
      }),
    ),
    cost_source: Type.Optional(CostSourceName),
    span_count: Count('Number of spans'),
    error_span_count: Count('Number of spans with an error status'),
    build_id: AnyText('Build of the agent that sent the root span'),
  },
  { title: 'TraceEntry', description: 'A trace without its spans' },
)

export const TraceList = Type.Object(
  {
    traces: Type.Array(TraceEntry, { description: 'Newest first' }),
    total: BigInteger('Number of traces that match'),
    limit: Type.Integer({ description: 'The limit of the query' }),
    offset: Type.Integer({ description: 'The offset of the query' }),
  },
  { title: 'TraceList', description: 'A page of traces', examples: [traceListExample] },
)
