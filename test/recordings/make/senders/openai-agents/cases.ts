import type { SenderCase } from '../../sender.ts'

const withAgents = { kinds: ['agent', 'model'] } as const
const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** The cases of the OpenAI Agents SDK. By default its model gets the error of a tool. */
export const openaiAgentsCases = {
  plain: { expected: withAgents },
  tool: { expected: withTools },
  'tool-error': { expected: withTools },
  'tool-raising': {
    scenario: 'tool-error',
    mode: 'raising',
    expected: {
      ...withTools,
      output: '',
      status: 'error',
      status_message: 'no weather station on Mars',
    },
  },
  'model-error': {
    expected: withAgents,
    notSent: { input: 'not sent for a failed response' },
  },
  stream: { expected: withAgents },
  session: { expected: withAgents },
  nested: { expected: withTools },
  'chat-tool': {
    scenario: 'tool',
    mode: 'chat',
    expected: withTools,
    notSent: { cached_tokens: 'the Responses API', models: 'the Responses API' },
  },
} as const satisfies Record<string, SenderCase>
