import type { SpanType } from '../../domain/span.ts'
import { isRecord, unquoted, type JsonRecord } from '../messages/plain-json.ts'
import { firstTokenAt, instantIn, toNanoUsd } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { detailsInApiUsage, isInputNextToCache, plausibleTokens, usageOf } from './usage.ts'

/**
 * The SDKs of Langfuse.
 * https://langfuse.com/integrations/native/opentelemetry
 */
export const langfuse: Source = {
  signs: ['langfuse.observation.type'],
  type: (span) => TYPES.get(span.text('langfuse.observation.type').toLowerCase()) ?? '',
  // LangChain's names of providers.
  provider: (span) => unquoted(span.text('langfuse.observation.metadata.ls_provider')),
  model: (span) => span.text('langfuse.observation.model.name'),
  input: (span) => span.input('langfuse.observation.input', 'langfuse.trace.input'),
  output: (span) => span.output('langfuse.observation.output', 'langfuse.trace.output'),
  toolName: (span) => span.text('gen_ai.tool.name') || span.name,
  toolArguments: (span) => span.given('langfuse.observation.input'),
  toolResult: (span) => span.result('langfuse.observation.output'),
  usage: readUsageDetails,
  sessionId: (span) => span.id('langfuse.session.id'),
  userId: (span) => span.id('langfuse.user.id'),
  isError: (span) => span.hasErrorStatus || span.text('langfuse.observation.level') === 'ERROR',
  firstTokenNs: (span) =>
    firstTokenAt(span, instantIn(span, 'langfuse.observation.completion_start_time')),
  costNanoUsd: readCostDetails,
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['generation', 'model'],
  ['embedding', 'embedding'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['chain', 'chain'],
  ['retriever', 'retrieval'],
  ['guardrail', 'guardrail'],
  ['evaluator', 'chain'],
])

function readUsageDetails(span: SentSpan, type: SpanType): SentUsage | undefined {
  const details = span.value('langfuse.observation.usage_details')
  if (!isRecord(details)) return undefined
  const count = (...keys: readonly string[]) =>
    plausibleTokens(keys.map((key) => details[key]).find((each) => each !== undefined))
  // Its wrapper of the OpenAI SDK for Python sends the usage as the API returns it.
  const inApi = detailsInApiUsage(details)
  const usage: SentUsage = {
    of: usageOf(type),
    inputTokens: count('input', 'input_tokens', 'prompt_tokens'),
    outputTokens: count('output', 'output_tokens', 'completion_tokens'),
    cachedTokens:
      count('cache_read_input_tokens', 'input_cached_tokens', 'input_cache_read') ||
      inApi.cachedTokens,
    cacheWrittenTokens: count(
      'cache_creation_input_tokens',
      'input_cache_creation',
      'input_cache_write',
    ),
    reasoningTokens: count('output_reasoning_tokens', 'output_reasoning') || inApi.reasoningTokens,
  }
  const totalTokens = count('total', 'total_tokens')
  return { ...usage, totalTokens, apart: { input: isInputApart(details, usage, totalTokens) } }
}

/** Whether the tokens of caches are certainly next to the input. */
function isInputApart(details: JsonRecord, usage: SentUsage, total: bigint): boolean {
  const { inputTokens, outputTokens, cachedTokens, cacheWrittenTokens, reasoningTokens } = usage
  // Without a total, only those of Anthropic's API are.
  if (total === 0n)
    return isInputNextToCache({ ...details, input_tokens: Number(inputTokens) }, inputTokens)
  // The parts with its own names don't overlap. The total may also have thoughts without a name.
  const hasOwn = Object.keys(details).some((key) => key.startsWith('input_cache'))
  const parts = inputTokens + cachedTokens + cacheWrittenTokens + outputTokens
  return hasOwn && reasoningTokens === 0n && parts <= total
}

/** The details have a total, or else the parts of it. */
function readCostDetails(span: SentSpan): bigint | undefined {
  const details = span.value('langfuse.observation.cost_details')
  if (!isRecord(details)) return undefined
  const parts = Object.values(details).filter((cost) => typeof cost === 'number')
  return toNanoUsd(details['total'] ?? parts.reduce((sum, cost) => sum + cost, 0))
}
