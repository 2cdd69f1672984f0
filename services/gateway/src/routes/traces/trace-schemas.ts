import { Type } from 'typebox'

import { AnyText, Count } from '../../http/schemas/kinds.ts'
import { AgentPath } from '../path-parameters.ts'
import { traceExample } from './examples.ts'
import { BigInteger, CostSourceName, Dollars, entryMembers, TraceId } from './schemas.ts'
import { Span } from './span-schemas.ts'

export const TracePath = Type.Interface([AgentPath], {
  trace_id: Type.Unsafe<string>({ ...TraceId, pattern: '^[0-9a-fA-F]{32}$' }),
})

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
    cached_tokens: BigInteger('Input tokens that providers have read from their caches'),
    reasoning_tokens: BigInteger('Output tokens with which models have reasoned'),
    cost_usd: Type.Optional(
      Dollars('What the calls of models cost, each counted once; absent if no cost is known'),
    ),
    cost_source: Type.Optional(CostSourceName),
    models: Type.Array(AnyText('Name of a model'), {
      description: 'The models that were called, in the order of their first call',
    }),
    session_id: Type.Optional(AnyText('Session of the first span that has one')),
    user_id: Type.Optional(AnyText('User of the first span that has one')),
    spans: Type.Array(Span, { description: 'The spans whose parent is not in the response' }),
  },
  { title: 'Trace', description: 'A trace with its spans', examples: [traceExample] },
)
