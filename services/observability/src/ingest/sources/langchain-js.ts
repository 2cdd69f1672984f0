import { isRecord } from '../messages/plain-json.ts'
import { openInference } from './openinference.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/**
 * OpenInference's instrumentation of LangChain and LangGraph for JavaScript. Only the JSON of its
 * spans has the ids of tool calls, and the model that answered.
 * https://github.com/Arize-ai/openinference/tree/main/js
 */
export const langchainJs: Source = {
  ...openInference,
  scopes: ['@arizeai/openinference-instrumentation-langchain'],
  signs: [],
  model: (span) => answeringModel(span) || (openInference.model?.(span) ?? ''),
  input: (span) => span.question('input.value'),
  output: (span) => span.answer('output.value'),
}

/** The path from a response to what the model's API says about it. */
const PATH = ['generations', 0, 0, 'message', 'kwargs', 'response_metadata', 'model_name'] as const

function answeringModel(span: SentSpan): string {
  if (!span.has('llm.model_name')) return ''
  let value = span.value('output.value')
  for (const key of PATH) {
    if (typeof key === 'number') value = Array.isArray(value) ? (value[key] as unknown) : undefined
    else value = isRecord(value) ? value[key] : undefined
  }
  return typeof value === 'string' ? value : ''
}
