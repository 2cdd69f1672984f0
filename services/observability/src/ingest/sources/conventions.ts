import type { SpanType } from '../../domain/span.ts'
import { flatList } from '../messages/flat-messages.ts'
import { answerIn, argumentsIn, questionIn, resultIn } from '../messages/message.ts'
import { unquoted } from '../messages/plain-json.ts'
import type { SentSpan } from './sent-span.ts'
import type { FactReaders } from './source.ts'
import { readUsage, usageOf, type UsageKeys } from './usage.ts'

/** The messages of the earlier conventions: an attribute for each field. */
export const PROMPT = flatList('gen_ai.prompt')
export const COMPLETION = flatList('gen_ai.completion')

/**
 * Reads what any sender may send: the current and earlier GenAI semantic conventions, and the plain
 * `input.value` and `output.value`.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export const conventions: FactReaders = {
  type: readType,
  provider: (span) => span.text('gen_ai.provider.name', 'gen_ai.system'),
  model: (span) =>
    span.text('gen_ai.response.model', 'gen_ai.request.model', 'embedding.model_name'),
  input: (span) =>
    span.question('gen_ai.input.messages', 'input.value', 'gen_ai.prompt') ||
    questionIn(span.flatMessages(PROMPT, 'input')) ||
    questionIn(span.eventMessages('input')) ||
    span.shown('gen_ai.retrieval.query.text'),
  output: (span) =>
    span.answer('gen_ai.output.messages', 'output.value', 'gen_ai.completion') ||
    answerIn(span.flatMessages(COMPLETION, 'output')) ||
    answerIn(span.eventMessages('output')) ||
    span.shown('gen_ai.retrieval.documents'),
  toolName: (span) => span.text('gen_ai.tool.name'),
  toolArguments: (span) =>
    span.shown('gen_ai.tool.call.arguments', 'input.value') ||
    argumentsIn(span.eventMessages('input')),
  toolResult: (span) =>
    unquoted(span.shown('gen_ai.tool.call.result')) ||
    span.result('output.value') ||
    resultIn(span.eventMessages('output')),
  usage: (span, type) => {
    const of = span.has('gen_ai.operation.name') && type === '' ? 'total' : usageOf(type)
    return readUsage(span, of, USAGE)
  },
  responseId: (span) => span.text('gen_ai.response.id'),
  // Version 7 of Vercel's AI SDK follows the conventions, but has none for what its caller adds.
  sessionId: (span) =>
    span.text('session.id', 'gen_ai.conversation.id', 'ai.settings.context.sessionId'),
  userId: (span) => span.text('user.id', 'enduser.id', 'ai.settings.context.userId'),
  // An `error.type` is set only if the operation has failed. HTTP servers also set it for mistakes
  // of their callers.
  isError: (span, type) =>
    span.hasErrorStatus || (!span.hasOkStatus && type !== '' && span.has('error.type')),
}

const OPERATIONS: ReadonlyMap<string, SpanType> = new Map([
  ['chat', 'model'],
  ['text_completion', 'model'],
  ['generate_content', 'model'],
  ['embeddings', 'embedding'],
  ['retrieval', 'retrieval'],
  ['execute_tool', 'tool'],
  ['create_agent', 'agent'],
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'chain'],
])

function readType(span: SentSpan): SpanType {
  const operation = span.text('gen_ai.operation.name')
  if (operation !== '') return OPERATIONS.get(operation) ?? ''
  if (span.has('gen_ai.tool.name') || span.has('gen_ai.tool.call.arguments')) return 'tool'
  return span.has('gen_ai.response.model') || span.has('gen_ai.request.model') ? 'model' : ''
}

const USAGE: UsageKeys = {
  input: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
  output: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
  cached: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cache_read_tokens',
    'gen_ai.usage.details.cache_read_tokens',
  ],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
}
