import type { SpanType } from '../../domain/span.ts'
import { outputIn, plainText, type Content } from '../messages/message.ts'
import { isRecord, toText, unquoted, type JsonRecord } from '../messages/plain-json.ts'
import { finishReasonIn, firstTokenAfter } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { isInputNextToCache, plausibleTokens, readUsage, usageOf, type UsageKeys } from './usage.ts'

/**
 * The Vercel AI SDK up to version 6, and the legacy telemetry of later versions. Version 7 follows
 * the conventions.
 * https://ai-sdk.dev/docs/ai-sdk-core/telemetry
 */
export const vercelAi: Source = {
  signs: ['ai.operationId'],
  type: typeOf,
  provider: (span) => span.text('gen_ai.system', 'ai.model.provider'),
  model: (span) => span.text('gen_ai.response.model', 'ai.response.model', 'ai.model.id'),
  input: (span) => span.input('ai.prompt.messages', 'ai.prompt', embeddedTexts),
  output: (span) =>
    span.output(answered, (object) => object.shown('ai.response.object', 'ai.result.object')),
  toolName: (span) => span.text('ai.toolCall.name'),
  toolArguments: (span) => span.shown('ai.toolCall.args'),
  toolResult: (span) => unquoted(span.shown('ai.toolCall.result')),
  usage: readUsageWithMetadata,
  responseId: (span) => span.text('gen_ai.response.id', 'ai.response.id'),
  sessionId: (span) =>
    span.id('ai.telemetry.metadata.sessionId', 'ai.telemetry.metadata.session_id'),
  userId: (span) => span.id('ai.telemetry.metadata.userId', 'ai.telemetry.metadata.user_id'),
  finishReason: (span) =>
    finishReasonIn(
      span,
      'ai.response.finishReason',
      'ai.finishReason',
      'gen_ai.response.finish_reasons',
    ),
  firstTokenNs: (span) =>
    firstTokenAfter(span.number('ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk')),
}

/** `ai.generateText` is the whole run, `ai.generateText.doGenerate` each call of a model in it. */
function typeOf(span: SentSpan): SpanType {
  const operation = span.text('ai.operationId')
  if (operation === 'ai.toolCall') return 'tool'
  if (/^ai\.\w+\.doEmbed$/.test(operation)) return 'embedding'
  if (/^ai\.\w+\.do(Generate|Stream)$/.test(operation)) return 'model'
  if (operation.startsWith('ai.embed')) return 'chain'
  return /^ai\.(generate|stream)\w+$/.test(operation) ? 'agent' : ''
}

/** Each text is a JSON string. */
function embeddedTexts(span: SentSpan): string {
  const values = span.value('ai.values')
  const texts = Array.isArray(values) ? values : [span.shown('ai.value')]
  return texts.map((text) => unquoted(toText(text))).join('\n')
}

/** A response has a text, calls of tools, or both. */
function answered(span: SentSpan): Content {
  const text = span.text('ai.response.text', 'ai.result.text')
  const calls = ['ai.response.toolCalls', 'ai.result.toolCalls']
    .map((key) => span.toolCalls(key))
    .find((each) => each.length > 0)
  if (calls === undefined) return plainText(text)
  const messages: Content['messages'] = [{ role: 'assistant', text, calls, results: [] }]
  return { text: outputIn(messages), messages }
}

const USAGE: UsageKeys = {
  input: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cached: ['ai.usage.cachedInputTokens', 'ai.usage.inputTokenDetails.cacheReadTokens'],
  cacheWritten: ['ai.usage.inputTokenDetails.cacheWriteTokens'],
  reasoning: ['ai.usage.reasoningTokens', 'ai.usage.outputTokenDetails.reasoningTokens'],
  total: ['ai.usage.totalTokens'],
}

/** The names that providers give to parts of the usage, in what the SDK passes on. */
const METADATA = {
  cached: [
    'cache_read_input_tokens',
    'cacheReadInputTokens',
    'cachedContentTokenCount',
    'cachedPromptTokens',
  ],
  cacheWritten: [
    'cache_creation_input_tokens',
    'cacheCreationInputTokens',
    'cacheWriteInputTokens',
  ],
  reasoning: ['thoughtsTokenCount', 'reasoningTokens'],
  total: ['totalTokenCount'],
} as const

/**
 * Adds what only the metadata of the provider have. Up to version 5, the input is what the API
 * calls so, which in those of Anthropic and Bedrock is without the tokens of caches.
 */
function readUsageWithMetadata(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = readUsage(span, usageOf(type), USAGE)
  if (usage === undefined || usage.of === 'total') return usage
  const records = metadataIn(span)
  const count = (keys: readonly string[]) =>
    records
      .flatMap((record) => keys.map((key) => plausibleTokens(record[key])))
      .find((tokens) => tokens > 0n) ?? 0n
  const isApiInput =
    records.some((record) => isInputNextToCache(record, usage.inputTokens)) ||
    ((isOfVersion4(span) || isOfVersion5(span)) &&
      BILLED_APART.test(span.text('ai.model.provider', 'gen_ai.system')))
  return {
    ...usage,
    cachedTokens: usage.cachedTokens || count(METADATA.cached),
    cacheWrittenTokens: usage.cacheWrittenTokens || count(METADATA.cacheWritten),
    reasoningTokens: usage.reasoningTokens || count(METADATA.reasoning),
    totalTokens: usage.totalTokens || count(METADATA.total),
    apart: { input: isApiInput },
  }
}

/** What each provider adds to a response, and its usage in it. */
function metadataIn(span: SentSpan): readonly JsonRecord[] {
  const metadata = span.value('ai.response.providerMetadata')
  const ofProviders = isRecord(metadata) ? Object.values(metadata).filter(isRecord) : []
  return ofProviders.flatMap((record) =>
    [record, record['usage'], record['usageMetadata']].filter(isRecord),
  )
}

const BILLED_APART = /anthropic|bedrock/

/** Or earlier. */
function isOfVersion4(span: SentSpan): boolean {
  return span.has('ai.prompt.format')
}

function isOfVersion5(span: SentSpan): boolean {
  return (
    span.has('ai.usage.cachedInputTokens') && !span.has('ai.usage.inputTokenDetails.noCacheTokens')
  )
}
