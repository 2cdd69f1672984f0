import { EMPTY_CONTENT, inputIn, type Content } from '../messages/message.ts'
import { readMessages } from '../messages/read-messages.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/**
 * OpenLLMetry's instrumentation of the OpenAI SDK for JavaScript. It follows the conventions, but
 * sends the input of the Responses API as the text of a single message.
 * https://github.com/traceloop/openllmetry-js
 */
export const openLlmetryJs: Source = {
  scopes: ['@traceloop/instrumentation-openai'],
  signs: [],
  input: (span) => span.input(conversation, 'gen_ai.input.messages'),
}

/** Returns the messages that are JSON in the text of the last one; silent for all others. */
function conversation(span: SentSpan): Content {
  const messages = span.messages('gen_ai.input.messages', 'input')
  const items = span.parse(messages.at(-1)?.text ?? '')
  const inner = Array.isArray(items) ? readMessages(items, 'input') : []
  if (inner.length === 0) return EMPTY_CONTENT
  const all = [...messages.slice(0, -1), ...inner]
  return { text: inputIn(all), messages: all }
}
