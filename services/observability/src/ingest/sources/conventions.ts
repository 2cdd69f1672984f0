import type { SpanType } from '../../domain/span.ts'
import { flatList } from '../messages/flat-messages.ts'
import { argumentsIn, resultIn } from '../messages/message.ts'
import { isRecord, toText, unquoted } from '../messages/plain-json.ts'
import {
  finishReasonIn,
  reasonAtEnd,
  reasonInMessages,
  firstTokenAfter,
  firstTokenAt,
  toNanoUsd,
} from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { FactReaders } from './source.ts'
import { EVENTS } from './span-contents.ts'
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
    span.input(
      'gen_ai.input.messages',
      'input.value',
      'gen_ai.prompt',
      PROMPT,
      EVENTS,
      'gen_ai.retrieval.query.text',
    ),
  output: (span) =>
    span.output(
      'gen_ai.output.messages',
      'output.value',
      'gen_ai.completion',
      COMPLETION,
      EVENTS,
      (retrieval) => retrieval.shown('gen_ai.retrieval.documents'),
    ),
  toolName: (span) => span.text('gen_ai.tool.name'),
  toolArguments: (span) =>
    span.given('gen_ai.tool.call.arguments', 'input.value') ||
    argumentsIn(span.messages(EVENTS, 'input')),
  toolResult: (span) =>
    unquoted(span.shown('gen_ai.tool.call.result')) ||
    span.result('output.value') ||
    resultIn(span.messages(EVENTS, 'output')),
  usage: (span, type) => {
    const of = span.has('gen_ai.operation.name') && type === '' ? 'total' : usageOf(type)
    return readUsage(span, of, USAGE)
  },
  responseId: (span) => span.text('gen_ai.response.id'),
  // Version 7 of Vercel's AI SDK follows the conventions, but has none for what its caller adds.
  sessionId: (span) =>
    span.id('session.id') ||
    conversationOf(span.id('gen_ai.conversation.id')) ||
    span.id('ai.settings.context.sessionId') ||
    metadataOf(span, 'session_id', 'sessionId', 'thread_id', 'threadId', 'conversation_id'),
  userId: (span) =>
    span.id('user.id', 'enduser.id', 'ai.settings.context.userId') ||
    metadataOf(span, 'user_id', 'userId'),
  // An `error.type` is set only if the operation has failed. HTTP servers also set it for mistakes
  // of their callers.
  isError: (span, type) =>
    span.hasErrorStatus || (!span.hasOkStatus && type !== '' && span.has('error.type')),
  finishReason: (span) =>
    finishReasonIn(span, ...FINISH_REASONS) ||
    reasonInMessages(span.value('gen_ai.output.messages')) ||
    span.eventText('gen_ai.choice', 'finish_reason') ||
    reasonAtEnd(span.eventText(DETAILS_EVENT, 'gen_ai.output.messages')),
  firstTokenNs: (span) =>
    firstTokenAfter(secondsToMs(span.number(...FIRST_TOKEN_SECONDS))) ??
    firstTokenAt(span, span.eventTime(FIRST_TOKEN_EVENTS)),
  costNanoUsd: (span) => toNanoUsd(span.number(...COSTS)),
}

const DETAILS_EVENT = 'gen_ai.client.inference.operation.details'
const FINISH_REASONS = [
  'gen_ai.response.finish_reasons',
  'gen_ai.response.finish_reason',
  'gen_ai.completion.0.finish_reason',
  // The SDK of Anthropic follows the conventions otherwise.
  'anthropic.message.stop_reason',
]
const FIRST_TOKEN_SECONDS = [
  'gen_ai.response.time_to_first_chunk',
  'gen_ai.client.operation.time_to_first_chunk',
  'gen_ai.server.time_to_first_token',
]
/** The first of these events means that the first token has arrived. */
const FIRST_TOKEN_EVENTS: ReadonlySet<string> = new Set([
  'gen_ai.content.completion.chunk',
  'llm.content.completion.chunk',
  'First Token Stream Event',
  'new_token',
])
/** In US dollars. */
const COSTS = ['operation.cost', 'gen_ai.usage.cost', 'gen_ai.cost.total_cost', 'llm.cost.total']

/** The attributes with what the program has set about a run, as JSON. */
const METADATA = ['metadata', 'langfuse.trace.metadata', 'langfuse.observation.metadata']

/** Returns the first of these fields that the metadata of a span have. */
export function metadataOf(span: SentSpan, ...fields: readonly string[]): string {
  for (const key of METADATA) {
    const isIn = fields.some((field) => span.shown(key).includes(field))
    const metadata = isIn ? span.value(key) : undefined
    const texts = isRecord(metadata) ? fields.map((field) => toText(metadata[field])) : []
    const text = texts.find((each) => each !== '')
    if (text !== undefined) return text
  }
  return ''
}

/** Some senders name the response before, which is another one in each turn. */
function conversationOf(id: string): string {
  return id.startsWith('resp_') ? '' : id
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000
}

const OPERATIONS: ReadonlyMap<string, SpanType> = new Map([
  ['chat', 'model'],
  ['text_completion', 'model'],
  ['completion', 'model'],
  ['generate_content', 'model'],
  ['embeddings', 'embedding'],
  ['embedding', 'embedding'],
  ['retrieval', 'retrieval'],
  ['rerank', 'retrieval'],
  ['execute_tool', 'tool'],
  ['create_agent', 'agent'],
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'chain'],
])

/** What a span without a known operation is, by its attributes. */
const SIGNS: readonly (readonly [string, SpanType])[] = [
  ['gen_ai.tool.name', 'tool'],
  ['gen_ai.tool.call.id', 'tool'],
  ['gen_ai.tool.call.arguments', 'tool'],
  ['gen_ai.embeddings.dimension.count', 'embedding'],
  ['gen_ai.retrieval.query.text', 'retrieval'],
  ['gen_ai.response.model', 'model'],
  ['gen_ai.request.model', 'model'],
]

function readType(span: SentSpan): SpanType {
  const operation = span.text('gen_ai.operation.name').toLowerCase()
  const known = OPERATIONS.get(operation)
  if (known !== undefined) return known
  // The conventions begin a name with the operation.
  const named = operation === '' ? undefined : OPERATIONS.get(span.name.replace(/ .*/s, ''))
  return named ?? SIGNS.find(([key]) => span.has(key))?.[1] ?? ''
}

/** The tokens that were written to a cache, as the conventions and some senders name them. */
export const CACHE_WRITTEN = [
  'gen_ai.usage.cache_creation.input_tokens',
  'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.cache_creation_input_tokens',
  'gen_ai.usage.cache_write_input_tokens',
  'gen_ai.usage.cache_write_tokens',
  'gen_ai.usage.details.cache_write_tokens',
]

const USAGE: UsageKeys = {
  input: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
  output: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
  cached: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cache_read_tokens',
    'gen_ai.usage.details.cache_read_tokens',
  ],
  cacheWritten: CACHE_WRITTEN,
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.details.thoughts_tokens',
    'gen_ai.usage.experimental.reasoning_tokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
  total: ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens'],
}
