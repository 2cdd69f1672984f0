import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** The SDK of Langfuse for JavaScript. It counts each token in one number only. */
export const langfuseJs: Sender = {
  name: 'langfuse-js',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['@langfuse/openai', '@langfuse/otel', '@langfuse/tracing', 'openai'],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'stream-tool': { expected: withTools, notSent: { models: 'the version that answered' } },
    'responses-tool': { scenario: 'tool', mode: 'responses', expected: withTools },
    session: {},
    'model-error': {},
  },
}
