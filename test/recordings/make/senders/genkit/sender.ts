import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['chain', 'model', 'tool'] } as const

/** Genkit. An error in a tool ends its run. */
export const genkit: Sender = {
  name: 'genkit',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['genkit', '@genkit-ai/compat-oai', '@opentelemetry/sdk-node'],
  defaults: { expected: { kinds: ['chain', 'model'] } },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': {
      expected: {
        ...withTools,
        output: '',
        status: 'error',
        status_message: 'no weather station on Mars',
      },
    },
    'model-error': {},
    'stream-tool': { expected: withTools },
    session: {},
  },
}
