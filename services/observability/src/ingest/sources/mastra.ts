import type { SpanType } from '../../domain/span.ts'
import { conventions } from './conventions.ts'
import type { Source } from './source.ts'

/**
 * Mastra's exporter. It follows the conventions for models and tools, and has other attributes for
 * agents and workflows.
 * https://mastra.ai/docs/observability
 */
export const mastra: Source = {
  signs: ['mastra.span.type', 'mastra.agent_run.input'],
  type: (span) => conventions.type(span) || (TYPES.get(span.text('mastra.span.type')) ?? ''),
  input: (span) => span.question('mastra.agent_run.input', 'mastra.workflow_run.input'),
  output: (span) => span.answer('mastra.agent_run.output', 'mastra.workflow_run.output'),
  sessionId: (span) => span.text('mastra.metadata.sessionId', 'mastra.metadata.threadId'),
  userId: (span) => span.text('mastra.metadata.userId'),
  toolArguments: (span) =>
    span.shown(
      'gen_ai.tool.call.arguments',
      'mastra.tool_call.input',
      'mastra.mcp_tool_call.input',
    ),
  toolResult: (span) =>
    span.shown('gen_ai.tool.call.result', 'mastra.tool_call.output', 'mastra.mcp_tool_call.output'),
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['agent_run', 'agent'],
  ['model_generation', 'model'],
  ['tool_call', 'tool'],
  ['mcp_tool_call', 'tool'],
  ['workflow_run', 'chain'],
  ['workflow_step', 'chain'],
])
