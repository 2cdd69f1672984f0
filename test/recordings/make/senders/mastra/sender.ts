import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** Mastra. Its model gets the error of a tool. */
export const mastra: Sender = {
  name: 'mastra',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['@mastra/core', '@mastra/observability', '@mastra/otel-exporter'],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    'model-error': {},
    stream: {},
    'stream-tool': { expected: withTools },
    session: {},
    nested: { expected: withTools },
  },
}
