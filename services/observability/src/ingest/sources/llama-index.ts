import { isRecord, toText } from '../messages/plain-json.ts'
import { conventions } from './conventions.ts'
import { openInference } from './openinference.ts'
import type { SentSpan } from './sent-span.ts'
import { NO_CONTENT, type Source } from './source.ts'

/**
 * OpenInference's instrumentation of LlamaIndex. The steps of its agents are spans whose inputs and
 * outputs are objects of Python, not what was said.
 */
export const llamaIndex: Source = {
  ...openInference,
  scopes: ['openinference.instrumentation.llama_index'],
  signs: [],
  type: (span) => (isPreparation(span) ? 'chain' : (openInference.type?.(span) ?? '')),
  input: (span) => {
    const value = span.value('input.value')
    const isState = isRecord(value) && STATE_KEYS.some((key) => key in value)
    if (isState && !span.has(FIRST_MESSAGE)) return NO_CONTENT
    return openInference.input?.(span) ?? NO_CONTENT
  },
  output: (span) => {
    if (isPreparation(span) || PYTHON_OBJECT.test(span.text('output.value').slice(0, 200)))
      return NO_CONTENT
    return openInference.output?.(span) ?? NO_CONTENT
  },
  toolArguments: (span) => {
    const value = span.value('input.value')
    return isRecord(value) ? toText(value['kwargs']) : ''
  },
  toolResult: (span) => toText(toolOutput(span)['raw_output']),
  // An agent gets the failure of a tool as its result.
  isError: (span, type) =>
    conventions.isError(span, type) || (type === 'tool' && toolOutput(span)['is_error'] === true),
}

const FIRST_MESSAGE = 'llm.input_messages.0.message.role'
/** The arguments of steps, and of what prepares a call. */
const STATE_KEYS = ['init_state', 'ctx', 'chat_history']
const PYTHON_OBJECT = /^\w+\(\w+=/

/** Whether a span is said to be a call of a model, but only puts its request together. */
function isPreparation(span: SentSpan): boolean {
  const value = span.has(FIRST_MESSAGE) ? undefined : span.value('input.value')
  return isRecord(value) && 'chat_history' in value
}

function toolOutput(span: SentSpan) {
  const value = span.value('output.value')
  return isRecord(value) ? value : {}
}
