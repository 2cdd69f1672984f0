import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const
const noArguments = { tools: "OpenInference's instrumentation of AutoGen" }
const lessTokens = { cached_tokens: 'not sent', reasoning_tokens: 'not sent' }

/** AutoGen's own spans with those of the OpenAI SDK, and with OpenInference's (agents). */
export const autogen: Sender = {
  name: 'autogen',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'autogen-agentchat',
    'openinference-instrumentation-openai',
    'openinference-instrumentation-autogen-agentchat',
    'openai',
  ],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    plain: {},
    tool: { expected: withTools, notSent: noArguments },
    'model-error': {},
    session: {},
    'agents-tool': {
      scenario: 'tool',
      mode: 'openinference',
      expected: withTools,
      // AutoGen's own span of the tool has neither arguments nor a result.
      notSent: { ...lessTokens, ...noArguments },
    },
  },
}
