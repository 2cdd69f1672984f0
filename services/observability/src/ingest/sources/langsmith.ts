import type { SpanType } from '../../domain/span.ts'
import { isRecord } from '../messages/plain-json.ts'
import { conventions } from './conventions.ts'
import {
  detailsInUsage,
  modelOfResponse,
  reasonOfResponse,
  responseMetadata,
} from './langchain-response.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { plausibleTokens } from './usage.ts'

/**
 * The SDK of LangSmith, with which LangChain and LangGraph send runs as OpenTelemetry spans. Their
 * inputs and outputs are JSON in `gen_ai.prompt` and `gen_ai.completion`.
 */
export const langSmith: Source = {
  signs: ['langsmith.span.kind'],
  type: (span) => TYPES.get(span.text('langsmith.span.kind')) ?? '',
  provider: (span) => span.text('langsmith.metadata.ls_provider'),
  model: (span) =>
    span.text('gen_ai.response.model') ||
    modelOfResponse(responseMetadata(span.value('gen_ai.completion'))) ||
    span.text('langsmith.metadata.ls_model_name'),
  usage: readRunUsage,
  toolName: (span) => span.text('gen_ai.tool.name', 'langsmith.trace.name'),
  toolArguments: (span) => span.input('gen_ai.prompt').text,
  toolResult: (span) => span.result('gen_ai.completion'),
  sessionId: (span) =>
    span.id(
      'langsmith.metadata.session_id',
      'langsmith.metadata.thread_id',
      'langsmith.metadata.conversation_id',
    ),
  userId: (span) => span.id('langsmith.metadata.user_id'),
  // It sets the status of a failed run to OK before it records the exception.
  isError: (span) => span.hasErrorStatus || span.exception !== undefined,
  finishReason: (span) => reasonOfResponse(responseMetadata(span.value('gen_ai.completion'))),
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['llm', 'model'],
  ['chain', 'chain'],
  ['tool', 'tool'],
  ['retriever', 'retrieval'],
  ['embedding', 'embedding'],
  ['prompt', 'chain'],
  ['parser', 'chain'],
])

/** Reads the tokens of a run; those from caches are only in its metadata. */
function readRunUsage(span: SentSpan, type: SpanType): SentUsage | undefined {
  const usage = conventions.usage(span, type)
  const details = usage && span.value('langsmith.metadata.usage_metadata')
  if (usage === undefined || !isRecord(details)) return usage
  return {
    ...usage,
    ...detailsInUsage(details),
    totalTokens: plausibleTokens(details['total_tokens']) || (usage.totalTokens ?? 0n),
  }
}
