import type { SpanType } from '../../domain/span.ts'
import { plainText, type Content } from '../messages/message.ts'
import { isRecord, toText, unquoted, type JsonRecord } from '../messages/plain-json.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { plausibleTokens, withApiUsage } from './usage.ts'

const INPUT = 'genkit:input'
const OUTPUT = 'genkit:output'

/**
 * Genkit. Its spans are actions, whose inputs and outputs are JSON.
 * https://genkit.dev/docs/observability/getting-started/
 */
export const genkit: Source = {
  signs: ['genkit:type', 'genkit:name'],
  type: (span) => TYPES.get(span.text('genkit:metadata:subtype')) ?? 'chain',
  // The name of a model is `<provider>/<model>`.
  provider: (span) => (isModel(span) ? nameOf(span).replace(/\/.*/s, '') : ''),
  model: (span) =>
    answeringModel(span) || (isModel(span) ? nameOf(span).replace(/^.*?\//, '') : ''),
  input: (span) => withoutQuotes(span.input(INPUT)),
  output: (span) => withoutQuotes(span.output(OUTPUT)),
  toolName: nameOf,
  toolArguments: (span) => unquoted(span.shown(INPUT)),
  toolResult: (span) => unquoted(span.shown(OUTPUT)),
  usage: readUsageOfModel,
  responseId: (span) => textIn(rawIn(span), 'id', 'responseId'),
  sessionId: (span) => span.text('genkit:sessionId'),
  isError: (span) => span.hasErrorStatus || span.text('genkit:state') === 'error',
  finishReason: (span) => (isModel(span) ? reasonIn(recordIn(span.value(OUTPUT))) : ''),
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['model', 'model'],
  ['background-model', 'model'],
  ['tool', 'tool'],
  ['tool.v2', 'tool'],
  ['embedder', 'embedding'],
  ['retriever', 'retrieval'],
  ['reranker', 'retrieval'],
  ['agent', 'agent'],
])

function isModel(span: SentSpan): boolean {
  return ['model', 'embedding'].includes(TYPES.get(span.text('genkit:metadata:subtype')) ?? '')
}

function nameOf(span: SentSpan): string {
  return span.text('genkit:name')
}

/** Texts are JSON strings. */
function withoutQuotes(content: Content): Content {
  return content.messages.length > 0 ? content : plainText(unquoted(content.text))
}

/** The response as the API of the provider returned it. Some plugins have it in an older field. */
function rawIn(span: SentSpan): JsonRecord {
  if (!isModel(span)) return {}
  const { raw, custom } = recordIn(span.value(OUTPUT))
  return recordIn(raw ?? custom)
}

/** Some plugins return a list of candidates, as the API of Gemini does. */
function reasonIn({ finishReason, candidates }: JsonRecord): string {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined
  return textIn({ finishReason: finishReason ?? recordIn(first)['finishReason'] }, 'finishReason')
}

function answeringModel(span: SentSpan): string {
  return textIn(rawIn(span), 'model', 'modelVersion')
}

/** Only calls of models: what surrounds them repeats the tokens of the last one. */
function readUsageOfModel(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = type === 'model' ? recordIn(recordIn(span.value(OUTPUT))['usage']) : {}
  if (usage['inputTokens'] === undefined && usage['outputTokens'] === undefined) return undefined
  const count = (key: string) => plausibleTokens(usage[key])
  const sentUsage: SentUsage = {
    of: 'call',
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cachedTokens: count('cachedContentTokens'),
    cacheWrittenTokens: 0n,
    reasoningTokens: count('thoughtsTokens'),
    totalTokens: count('totalTokens'),
  }
  return withApiUsage(sentUsage, recordIn(rawIn(span)['usage']))
}

function recordIn(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}

function textIn(record: JsonRecord, ...keys: readonly string[]): string {
  return toText(keys.map((key) => record[key]).find((value) => typeof value === 'string'))
}
