import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const

/** AG2 with its middleware for telemetry. */
export const ag2: Sender = {
  name: 'ag2',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['ag2', 'openai', 'opentelemetry-sdk'],
  defaults: {
    expected: { kinds: ['agent', 'model'] },
    notSent: { reasoning_tokens: 'not sent' },
  },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'model-error': {},
    session: {},
  },
}
