import { outputIn, type Content } from '../messages/message.ts'
import type { SentSpan } from './sent-span.ts'
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
    span.input(
      (agent) => asked(agent, 'pydantic_ai.all_messages'),
      'gen_ai.input.messages',
      (agent) => asked(agent, 'all_messages_events'),
      'events',
    ),
  output: (span) =>
    span.output(finalAnswer, 'gen_ai.output.messages', 'all_messages_events', 'events'),
  toolArguments: (span) => span.shown('gen_ai.tool.call.arguments', 'tool_arguments'),
  toolResult: (span) => span.shown('gen_ai.tool.call.result', 'tool_response'),
  usage: (span) => readUsage(span, 'total', AGGREGATED),
}

/** Returns the conversation up to the user's last message: what follows is the agent's. */
function asked(span: SentSpan, key: string): Content {
  const { text, messages } = span.input(key)
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return { text, messages: messages.slice(0, last + 1) }
}

/** The calls of tools are not what an agent answers. */
function finalAnswer(span: SentSpan): Content {
  const { messages } = span.output('pydantic_ai.all_messages')
  const texts = messages.map((message) => ({ ...message, calls: [] }))
  return { text: span.shown('final_result') || outputIn(texts), messages }
}

const AGENT_KEYS = ['pydantic_ai.all_messages', 'all_messages_events', 'final_result']

const AGGREGATED: UsageKeys = {
  input: ['gen_ai.aggregated_usage.input_tokens'],
  output: ['gen_ai.aggregated_usage.output_tokens'],
  cached: [
    'gen_ai.aggregated_usage.cache_read.input_tokens',
    'gen_ai.aggregated_usage.details.cache_read_tokens',
  ],
  cacheWritten: [
    'gen_ai.aggregated_usage.cache_creation.input_tokens',
    'gen_ai.aggregated_usage.details.cache_write_tokens',
  ],
  reasoning: [
    'gen_ai.aggregated_usage.details.reasoning_tokens',
    'gen_ai.aggregated_usage.details.thoughts_tokens',
  ],
}
