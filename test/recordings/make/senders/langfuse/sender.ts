import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** The SDK of Langfuse, with its decorator and its wrapper of the OpenAI SDK. */
export const langfuse: Sender = {
  name: 'langfuse',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['langfuse', 'openai', 'opentelemetry-sdk'],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    guide: { scenario: 'guide-plain', isGuide: true },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    'stream-tool': { expected: withTools },
    session: {},
  },
}
