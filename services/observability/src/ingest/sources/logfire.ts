import type { SpanType } from '../../domain/span.ts'
import { isRecord } from '../messages/plain-json.ts'
import { conventions } from './conventions.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { withApiUsage } from './usage.ts'

/**
 * Logfire's instrumentations of the SDKs of models. They follow the conventions, but have the
 * reasoning tokens only in the usage as the API returned it.
 * https://logfire.pydantic.dev/docs/integrations/llms/openai/
 */
export const logfire: Source = {
  signs: ['gen_ai.usage.raw'],
  usage: readRawUsage,
}

function readRawUsage(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = conventions.usage(span, type)
  const raw = span.value('gen_ai.usage.raw')
  if (usage === undefined || !isRecord(raw)) return usage
  return withApiUsage(usage, raw)
}
