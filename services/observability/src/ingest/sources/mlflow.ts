import type { SpanType } from '../../domain/span.ts'
import type { Content } from '../messages/message.ts'
import { isRecord, unquoted, type JsonRecord } from '../messages/plain-json.ts'
import { metadataOf } from './conventions.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { plausibleTokens, usageOf, withApiUsage } from './usage.ts'

const INPUTS = 'mlflow.spanInputs'
const OUTPUTS = 'mlflow.spanOutputs'

/**
 * MLflow's tracing. All its attributes are JSON: the inputs and outputs of functions, and requests
 * and responses of models as their APIs have them.
 * https://mlflow.org/docs/latest/genai/tracing/opentelemetry/
 */
export const mlflow: Source = {
  signs: ['mlflow.spanType', 'mlflow.traceRequestId'],
  type: (span) => TYPES.get(jsonText(span, 'mlflow.spanType').toUpperCase()) ?? '',
  provider: (span) => jsonText(span, 'mlflow.llm.provider'),
  model: (span) => jsonText(span, 'mlflow.llm.model'),
  input: (span) => span.input(INPUTS),
  output: returned,
  toolName: (span) => jsonText(span, 'mlflow.spanFunctionName') || span.name,
  toolArguments: (span) => span.given(INPUTS),
  toolResult: (span) => unquoted(span.result(OUTPUTS)),
  usage: readTokenUsage,
  responseId: (span) => span.idIn(OUTPUTS),
  // The metadata of a run of LangChain name its thread.
  sessionId: (span) =>
    jsonText(span, 'session.id') ||
    jsonText(span, 'mlflow.trace.session') ||
    metadataOf(span, 'session_id', 'thread_id'),
  userId: (span) =>
    jsonText(span, 'user.id') || jsonText(span, 'mlflow.trace.user') || metadataOf(span, 'user_id'),
  finishReason: reasonIn,
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['AGENT', 'agent'],
  ['LLM', 'model'],
  ['CHAT_MODEL', 'model'],
  ['TOOL', 'tool'],
  ['CHAIN', 'chain'],
  ['WORKFLOW', 'chain'],
  ['TASK', 'chain'],
  ['PARSER', 'chain'],
  ['EVALUATOR', 'chain'],
  ['RETRIEVER', 'retrieval'],
  ['RERANKER', 'retrieval'],
  ['EMBEDDING', 'embedding'],
  ['GUARDRAIL', 'guardrail'],
])

function jsonText(span: SentSpan, key: string): string {
  return unquoted(span.text(key))
}

function returned(span: SentSpan): Content {
  const content = span.output(OUTPUTS)
  return { ...content, text: unquoted(content.text) }
}

function readTokenUsage(span: SentSpan, type: SpanType): SentUsage | undefined {
  const tokens = span.value('mlflow.chat.tokenUsage')
  if (!isRecord(tokens)) return undefined
  const count = (key: string) => plausibleTokens(tokens[key])
  const sent = recordIn(recordIn(span.value(OUTPUTS))['usage'])
  const usage = {
    of: usageOf(type),
    inputTokens: count('input_tokens'),
    outputTokens: count('output_tokens'),
    cachedTokens: count('cache_read_input_tokens'),
    cacheWrittenTokens: count('cache_creation_input_tokens'),
    reasoningTokens: 0n,
    totalTokens: count('total_tokens'),
  }
  return withApiUsage(usage, sent)
}

function reasonIn(span: SentSpan): string {
  const { choices, stop_reason: reason } = recordIn(span.value(OUTPUTS))
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  const found = recordIn(first)['finish_reason'] ?? reason
  return typeof found === 'string' ? found : ''
}

function recordIn(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}
