import type { SpanType } from '../../domain/span.ts'
import { plainText, type Content } from '../messages/message.ts'
import { isRecord, toText } from '../messages/plain-json.ts'
import { toCall } from '../messages/read-content.ts'
import { conventions } from './conventions.ts'
import { firstTokenAt, instantIn } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/**
 * Mastra's exporter. It follows the conventions for models and tools, and has other attributes for
 * agents and workflows.
 * https://mastra.ai/docs/observability
 */
export const mastra: Source = {
  signs: ['mastra.span.type', 'mastra.agent_run.input'],
  type: (span) => conventions.type(span) || (TYPES.get(span.text('mastra.span.type')) ?? ''),
  input: (span) =>
    span.input(
      'mastra.agent_run.input',
      'mastra.workflow_run.input',
      'mastra.model_generation.input',
    ),
  output: (span) => span.output('mastra.agent_run.output', 'mastra.workflow_run.output', generated),
  sessionId: (span) => span.text('mastra.metadata.sessionId', 'mastra.metadata.threadId'),
  userId: (span) => span.text('mastra.metadata.userId'),
  firstTokenNs: (span) => firstTokenAt(span, instantIn(span, 'mastra.completion_start_time')),
  toolArguments: (span) =>
    span.shown(
      'gen_ai.tool.call.arguments',
      'mastra.tool_call.input',
      'mastra.mcp_tool_call.input',
    ),
  toolResult: (span) =>
    span.shown('gen_ai.tool.call.result', 'mastra.tool_call.output', 'mastra.mcp_tool_call.output'),
}

/** The text and the calls of all steps of a generation. */
function generated(span: SentSpan): Content {
  const output = span.value('mastra.model_generation.output')
  if (!isRecord(output)) return plainText('')
  const text = toText(output['text'])
  const calls = Array.isArray(output['toolCalls']) ? output['toolCalls'].flatMap(toCall) : []
  return { text, messages: [{ role: 'assistant', text, calls, results: [] }] }
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['agent_run', 'agent'],
  ['model_generation', 'model'],
  ['tool_call', 'tool'],
  ['mcp_tool_call', 'tool'],
  ['workflow_run', 'chain'],
  ['workflow_step', 'chain'],
])
