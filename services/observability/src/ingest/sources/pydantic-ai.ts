import { answerIn, type Message } from '../messages/message.ts'
import { conventions } from './conventions.ts'
import type { Source } from './source.ts'
import { readUsage, type UsageKeys } from './usage.ts'

/**
 * Pydantic AI, usually with logfire. It follows the conventions, but has the whole conversation of
 * an agent in one attribute.
 * https://ai.pydantic.dev/logfire/
 */
export const pydanticAi: Source = {
  scopes: ['pydantic-ai'],
  signs: ['pydantic_ai.all_messages'],
  type: (span) =>
    conventions.type(span) || (AGENT_KEYS.some((key) => span.has(key)) ? 'agent' : ''),
  model: (span) => span.text('gen_ai.response.model', 'gen_ai.request.model', 'model_name'),
  input: (span) =>
    span.question(
      'pydantic_ai.all_messages',
      'gen_ai.input.messages',
      'all_messages_events',
      'events',
    ),
  output: (span) =>
    span.shown('final_result') ||
    answerIn(span.messages('pydantic_ai.all_messages', 'output').map(withoutCalls)) ||
    span.answer('gen_ai.output.messages', 'all_messages_events', 'events'),
  toolArguments: (span) => span.shown('gen_ai.tool.call.arguments', 'tool_arguments'),
  toolResult: (span) => span.shown('gen_ai.tool.call.result', 'tool_response'),
  usage: (span) => readUsage(span, 'total', AGGREGATED),
}

/** The calls of tools are not what an agent answers. */
function withoutCalls(message: Message): Message {
  return { ...message, calls: [] }
}

const AGENT_KEYS = ['pydantic_ai.all_messages', 'all_messages_events', 'final_result']

const AGGREGATED: UsageKeys = {
  input: ['gen_ai.aggregated_usage.input_tokens'],
  output: ['gen_ai.aggregated_usage.output_tokens'],
  cached: [
    'gen_ai.aggregated_usage.cache_read.input_tokens',
    'gen_ai.aggregated_usage.details.cache_read_tokens',
  ],
  reasoning: ['gen_ai.aggregated_usage.details.reasoning_tokens'],
}
