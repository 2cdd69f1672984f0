import type { SpanType } from '../../domain/span.ts'
import { finishReasonIn } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import { readUsage, type UsageKeys } from './usage.ts'

/**
 * VoltAgent. A span of a model stands for all calls of a run but has the tokens of the last one, so
 * those of the agent count.
 * https://voltagent.dev/docs/observability/overview/
 */
export const voltAgent: Source = {
  scopes: ['@voltagent/core'],
  signs: ['voltagent.operation_id'],
  type: typeOf,
  model: (span) => span.text('llm.model', 'ai.model.name'),
  input: (span) => span.input('llm.messages', 'input'),
  output: (span) => span.output('output'),
  toolName: (span) => span.text('tool.name'),
  toolArguments: (span) => span.shown('input'),
  toolResult: (span) => span.shown('output'),
  usage: (span) => readUsage(span, 'total', USAGE),
  sessionId: (span) => span.text('conversation.id'),
  finishReason: (span) => finishReasonIn(span, 'llm.finish_reason', 'ai.response.finish_reason'),
}

function typeOf(span: SentSpan): SpanType {
  const type = span.text('span.type')
  if (type === '' && span.has('agent.state')) return 'agent'
  return TYPES.get(type) ?? ''
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['agent', 'agent'],
  ['llm', 'model'],
  ['tool', 'tool'],
  ['retriever', 'retrieval'],
])

const USAGE: UsageKeys = {
  input: ['usage.prompt_tokens', 'llm.usage.prompt_tokens'],
  output: ['usage.completion_tokens', 'llm.usage.completion_tokens'],
  cached: ['usage.cached_tokens', 'llm.usage.cached_tokens'],
  reasoning: ['usage.reasoning_tokens', 'llm.usage.reasoning_tokens'],
  total: ['usage.total_tokens', 'llm.usage.total_tokens'],
}
