import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** VoltAgent. Its model gets the error of a tool. */
export const voltagent: Sender = {
  name: 'voltagent',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['@voltagent/core', 'ai', '@ai-sdk/openai'],
  defaults: {
    expected: { kinds: ['agent', 'model'] },
    notSent: { models: 'the version that answered' },
  },
  cases: {
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    'stream-tool': { expected: withTools },
    session: {},
  },
}
