import type { Sender } from '../../sender.ts'
import { openaiAgentsCases } from './cases.ts'

/** OpenInference's instrumentation of the OpenAI Agents SDK. */
export const openaiAgents: Sender = {
  name: 'openai-agents',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-openai-agents', 'openai-agents', 'openai'],
  cases: {
    ...openaiAgentsCases,
    guide: { isGuide: true, expected: { kinds: ['agent', 'model', 'tool'] } },
  },
}
