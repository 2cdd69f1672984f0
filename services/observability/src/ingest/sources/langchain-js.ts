import { answerMetadata, modelOfAnswer } from './langchain-answer.ts'
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

function answeringModel(span: SentSpan): string {
  if (!span.has('llm.model_name')) return ''
  return modelOfAnswer(answerMetadata(span.value('output.value')))
}
