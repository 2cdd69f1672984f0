import type { SpanType } from '../../domain/span.ts'
import { flatList, type FlatList } from '../messages/flat-messages.ts'
import { isRecord } from '../messages/plain-json.ts'
import { isPythonObjects } from '../messages/python-objects.ts'
import { CACHE_WRITTEN, metadataOf } from './conventions.ts'
import { detailsInText } from './usage-text.ts'
import {
  detailsInUsage,
  reasonOfResponse,
  responseMetadata,
  responseUsage,
} from './langchain-response.ts'
import type { SentSpan } from './sent-span.ts'
import { NO_CONTENT, type Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { readUsage, usageOf, withApiUsage, withDetails, type UsageKeys } from './usage.ts'

const INPUT = flatList('llm.input_messages')
const OUTPUT = flatList('llm.output_messages')

/**
 * OpenInference's instrumentations, for example of OpenAI, LangChain, LlamaIndex and the OpenAI
 * Agents SDK.
 * https://github.com/Arize-ai/openinference/tree/main/spec
 */
export const openInference: Source = {
  signs: [
    'openinference.span.kind',
    'llm.model_name',
    'llm.token_count.prompt',
    'llm.input_messages.0.message.content',
  ],
  type: (span) => TYPES.get(span.text('openinference.span.kind').toUpperCase()) ?? '',
  // Only LangChain's metadata have the names of some of its models.
  provider: (span) => span.text('llm.provider', 'llm.system') || metadataOf(span, 'ls_provider'),
  model: (span) =>
    span.text(
      'llm.response.model_name',
      'gen_ai.response.model',
      'llm.model_name',
      'llm.request.model_name',
      'embedding.model_name',
      'reranker.model_name',
    ) || metadataOf(span, 'ls_model_name'),
  input: (span) =>
    isUnreadable(span, INPUT, 'input.value') ? NO_CONTENT : span.input(INPUT, 'input.value'),
  output: (span) =>
    isUnreadable(span, OUTPUT, 'output.value') ? NO_CONTENT : span.output(OUTPUT, 'output.value'),
  toolName: (span) => span.text('tool.name'),
  toolArguments: (span) => span.given('input.value', 'tool.parameters'),
  usage: readUsageWithDetails,
  responseId: (span) => span.idIn('output.value'),
  sessionId: (span) => span.text('session.id') || metadataOf(span, 'session_id', 'thread_id'),
  userId: (span) => span.text('user.id') || metadataOf(span, 'user_id'),
  finishReason: (span) => span.text('llm.finish_reason') || reasonInJson(span),
}

/** Some calls have all details of tokens only in what the API or the framework returned. */
function readUsageWithDetails(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = readUsage(span, usageOf(type), USAGE)
  if (usage === undefined || usage.cacheWrittenTokens > 0n) return usage
  return type === 'model'
    ? withDetails(withJsonDetails(usage, span), detailsInText(span.text('output.value')))
    : withJsonDetails(usage, span)
}

/** What JSON has that shows tokens of caches, as APIs and LangChain name them. */
const HAS_CACHED =
  /"cache_?(d_tokens|(read|creation)(_input_tokens)?|(Read|Write)InputTokens)": ?[1-9]/

function withJsonDetails(usage: SentUsage, span: SentSpan): SentUsage {
  if (!HAS_CACHED.test(span.text('output.value'))) return usage
  const response = onlyOne(span.value('output.value'))
  const known = withDetails(usage, detailsInUsage(responseUsage(response)))
  const sent = isRecord(response) ? response['usage'] : undefined
  return isRecord(sent) ? withApiUsage(known, sent) : known
}

/** The Agents SDK lists responses. */
function onlyOne(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
}

/** LangChain's models, and Anthropic's SDK, have the reason in what they returned. */
function reasonInJson(span: SentSpan): string {
  if (!/"(response_metadata|stop_reason)"/.test(span.text('output.value'))) return ''
  const returned = onlyOne(span.value('output.value'))
  const fields = isRecord(returned) ? returned : {}
  return reasonOfResponse({ ...fields, ...responseMetadata(returned) })
}

/** Whether a span has only the texts of objects. Calls of models have the same messages. */
function isUnreadable(span: SentSpan, list: FlatList, key: string): boolean {
  return !list.signs.some((sign) => span.has(sign)) && isPythonObjects(span.value(key))
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['LLM', 'model'],
  ['EMBEDDING', 'embedding'],
  ['CHAIN', 'chain'],
  ['RETRIEVER', 'retrieval'],
  ['RERANKER', 'retrieval'],
  ['TOOL', 'tool'],
  ['AGENT', 'agent'],
  ['GUARDRAIL', 'guardrail'],
  ['EVALUATOR', 'chain'],
  ['PROMPT', 'chain'],
])

const USAGE: UsageKeys = {
  input: ['llm.token_count.prompt'],
  output: ['llm.token_count.completion'],
  // Its processor for Pydantic AI leaves these to the attributes of the conventions.
  cached: ['llm.token_count.prompt_details.cache_read', 'gen_ai.usage.cache_read.input_tokens'],
  cacheWritten: ['llm.token_count.prompt_details.cache_write', ...CACHE_WRITTEN],
  reasoning: [
    'llm.token_count.completion_details.reasoning',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.details.thoughts_tokens',
  ],
  total: ['llm.token_count.total'],
}
