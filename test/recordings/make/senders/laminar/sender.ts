import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['model', 'tool'] } as const

/** Laminar's SDK with the OpenAI SDK. */
export const laminar: Sender = {
  name: 'laminar',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['lmnr', 'openai', 'opentelemetry-sdk'],
  cases: {
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    stream: {},
    'model-error': {},
    session: {},
  },
}
