import { modelOfResponse, responseMetadata } from './langchain-response.ts'
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
  input: (span) => span.input('input.value'),
  output: (span) => span.output('output.value'),
}

function answeringModel(span: SentSpan): string {
  if (!span.has('llm.model_name')) return ''
  return modelOfResponse(responseMetadata(span.value('output.value')))
}
