import type { SpanType } from '../../domain/span.ts'
import { conventions } from './conventions.ts'
import { openLlmetry } from './openllmetry.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { plausibleTokens, withDetails } from './usage.ts'

/**
 * LiteLLM's own spans. They follow the conventions, earlier ones those of OpenLLMetry, but have the
 * tokens of caches and reasoning only in the text of a dictionary of Python.
 * https://docs.litellm.ai/docs/observability/opentelemetry_integration
 */
export const liteLlm: Source = {
  ...openLlmetry,
  scopes: ['litellm'],
  signs: ['litellm.call_id'],
  usage: readUsageObject,
  userId: (span) => span.id('llm.user', 'metadata.user_api_key_end_user_id'),
}

/** A longer text is not that of the usage of one call. */
const MAX_USAGE_LENGTH = 4096

function readUsageObject(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = conventions.usage(span, type)
  const object = span.text('metadata.usage_object').slice(0, MAX_USAGE_LENGTH)
  if (usage === undefined || object === '') return usage
  const count = (name: string) =>
    plausibleTokens(Number(RegExp(`'${name}': (\\d{1,15})\\b`).exec(object)?.[1] ?? 0))
  return withDetails(usage, {
    cachedTokens: count('cached_tokens'),
    reasoningTokens: count('reasoning_tokens'),
  })
}
