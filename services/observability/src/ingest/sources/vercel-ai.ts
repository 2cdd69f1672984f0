import type { SpanType } from '../../domain/span.ts'
import { answerIn, plainText, type Said } from '../messages/message.ts'
import { toText, unquoted } from '../messages/plain-json.ts'
import { finishReasonIn, firstTokenAfter } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import { readUsage, usageOf, type UsageKeys } from './usage.ts'

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
  input: (span) => span.question('ai.prompt.messages', 'ai.prompt', embeddedTexts),
  output: (span) =>
    span.answer(answered, (object) => object.shown('ai.response.object', 'ai.result.object')),
  toolName: (span) => span.text('ai.toolCall.name'),
  toolArguments: (span) => span.shown('ai.toolCall.args'),
  toolResult: (span) => unquoted(span.shown('ai.toolCall.result')),
  usage: (span, type) => readUsage(span, usageOf(type), USAGE),
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
function answered(span: SentSpan): Said {
  const text = span.text('ai.response.text', 'ai.result.text')
  const calls = ['ai.response.toolCalls', 'ai.result.toolCalls']
    .map((key) => span.toolCalls(key))
    .find((each) => each.length > 0)
  if (calls === undefined) return plainText(text)
  const messages: Said['messages'] = [{ role: 'assistant', text, calls, results: [] }]
  return { text: answerIn(messages), messages }
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
}
